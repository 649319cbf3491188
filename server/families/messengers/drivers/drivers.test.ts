import { createCipheriv, createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { exportJWK, exportPKCS8, generateKeyPair, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { MessengerPlatform } from "@/contracts/messengers/messenger-platforms";
import { largeIdText, startLarkSocket } from "@/server/testing/platforms/lark-socket";
import { startPlatformServer } from "@/server/testing/platforms/platform-server";
import { platformHttp } from "../platform-http";
import type { Driver, RawRequest, SentPart, Target } from "./driver";
import { loadDriver } from "./load-driver";

beforeEach(() => {
  process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
});

type Given = { settings?: Record<string, string>; secrets?: Record<string, string>; bot?: { id: string; name: string } };

async function driver(
  platform: MessengerPlatform,
  { settings = {}, secrets = {}, bot = { id: "bot", name: "bot" } }: Given,
): Promise<Driver> {
  const make = await loadDriver(platform);
  return make({ id: "m", workspaceId: "w", name: "Helper", settings, secrets, bot }, platformHttp(Object.values(secrets)));
}

const raw = (
  body: string | object,
  headers: Record<string, string> = {},
  query: Record<string, string> = {},
  method = "POST",
): RawRequest => ({
  method,
  headers: new Headers(headers),
  query: new URLSearchParams(query),
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});
const to = (chat: string, more: Partial<Target> = {}): Target => ({ kind: "private", chat, thread: null, replyTo: null, ...more });
const card: SentPart = {
  kind: "card",
  text: "**Approve?**",
  buttons: [
    { label: "Approve", value: "approve:1", style: "primary" },
    { label: "Deny", value: "deny:1", style: "danger" },
  ],
};
const file: SentPart = { kind: "file", name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("hello"), caption: "Here", as: "file" };
const picture: SentPart = { kind: "file", name: "a.png", mediaType: "image/png", bytes: Buffer.from("pixels"), caption: "", as: "file" };
const now = () => String(Math.floor(Date.now() / 1_000));
const key = "01900000-0000-7000-8000-000000000001";

describe("Slack", () => {
  const secrets = { botToken: "xoxb-test", signingSecret: "shh-signing" };
  const signed = (body: string, at = now()) =>
    raw(body, {
      "x-slack-request-timestamp": at,
      "x-slack-signature": `v0=${createHmac("sha256", secrets.signingSecret).update(`v0:${at}:${body}`).digest("hex")}`,
    });
  const event = (values: JsonObject) =>
    JSON.stringify({ type: "event_callback", event_id: "Ev1", event: { user: "U1", ts: "1.2", ...values } });

  test("takes signed events only, a mention and its message as one, and clicks", async () => {
    const slack = await driver("slack", { secrets, bot: { id: "UBOT", name: "helper" } });
    const mention = await slack.receive?.(
      signed(event({ type: "app_mention", channel: "C1", text: "<@UBOT> look at &lt;this&gt; <https://a.example|A>" })),
    );
    expect(mention?.events).toMatchObject([
      { key: "message:C1:1.2", place: "thread", thread: "1.2", text: "look at <this> A (https://a.example)", isMention: true },
    ]);
    const twin = await slack.receive?.(signed(event({ type: "message", channel: "C1", text: "<@UBOT> look" })));
    expect(twin?.events[0]?.key).toBe("message:C1:1.2");
    expect(
      (await slack.receive?.(signed(event({ type: "message", channel: "D1", channel_type: "im", text: "hi", bot_id: "B1" }))))?.events,
    ).toEqual([]);
    const inThread = { type: "message", channel: "C1", text: "and now?", ts: "3.4", thread_ts: "1.2" };
    const replies = [
      await slack.receive?.(signed(event({ ...inThread, parent_user_id: "UBOT" }))),
      await slack.receive?.(signed(event({ ...inThread, parent_user_id: "U2" }))),
    ];
    expect(replies.flatMap((reply) => reply?.events ?? [])).toMatchObject([
      { isMention: true, repliesTo: "1.2" },
      { isMention: false, repliesTo: "1.2" },
    ]);
    const payload = {
      type: "block_actions",
      trigger_id: "T1",
      user: { id: "U1" },
      channel: { id: "C1" },
      container: { message_ts: "2.3", thread_ts: "1.2" },
      actions: [{ value: "approve:1" }],
    };
    const click = await slack.receive?.(signed(`payload=${encodeURIComponent(JSON.stringify(payload))}`));
    expect(click?.events).toMatchObject([{ kind: "click", text: "approve:1", messageRef: "2.3", thread: "1.2" }]);
    expect(await slack.receive?.(signed(event({ type: "message", channel: "C1", text: "old" }), String(Number(now()) - 3_600)))).toBeNull();
    const forged = signed(event({ type: "message", channel: "C1", text: "a" }));
    expect(await slack.receive?.({ ...forged, body: Buffer.from(event({ type: "message", channel: "C1", text: "b" })) })).toBeNull();
    expect((await slack.receive?.(signed('{"type":"url_verification","challenge":"c1"}')))?.answer?.body).toBe('{"challenge":"c1"}');
  });

  test("posts, edits, reacts and uploads; an error with status 200 is a refusal, HTML is of unknown fate", async () => {
    let said: unknown = { ok: true, ts: "9.9" };
    const { url, calls } = await startPlatformServer({
      "POST /chat.postMessage": () => said,
      "POST /chat.update": () => ({ ok: true }),
      "POST /reactions.add": () => ({ ok: false, error: "already_reacted" }),
      "POST /files.getUploadURLExternal": () => ({ ok: true, upload_url: `${url}/upload`, file_id: "F1" }),
      "POST /upload": () => ({ status: 200, body: "OK" }),
      "POST /files.completeUploadExternal": () => ({ ok: true }),
    });
    const slack = await driver("slack", { settings: { apiUrl: url }, secrets });
    expect(await slack.post(to("C1", { thread: "1.2" }), card, key)).toBe("9.9");
    expect(calls[0]?.body).toMatchObject({
      channel: "C1",
      thread_ts: "1.2",
      text: "*Approve?*",
      blocks: [{ type: "section" }, { type: "actions" }],
    });
    await slack.edit?.(to("C1"), "9.9", "Done");
    await slack.react?.(to("C1"), "1.2", "✅", false);
    await slack.post(to("C1"), file, key);
    expect(calls.map(({ path }) => path)).toEqual([
      "/chat.postMessage",
      "/chat.update",
      "/reactions.add",
      "/files.getUploadURLExternal",
      "/upload",
      "/files.completeUploadExternal",
    ]);
    said = { ok: false, error: "channel_not_found" };
    await expect(slack.post(to("C1"), card, key)).rejects.toMatchObject({ failure: "refused", message: "Slack: channel_not_found" });
    said = { status: 200, body: "<html>", type: "text/html" };
    await expect(slack.post(to("C1"), card, key)).rejects.toMatchObject({ failure: "unknown" });
    said = { status: 429, body: {} };
    await expect(slack.post(to("C1"), card, key)).rejects.toMatchObject({ failure: "rate" });
  });
});

test("LINE: signed events, a push that is recognised again, and files", async () => {
  const secrets = { token: "line-token", channelSecret: "line-secret" };
  const body = JSON.stringify({
    events: [
      { type: "message", webhookEventId: "w1", source: { userId: "U1" }, message: { id: "1", type: "text", text: "Hi" } },
      { type: "postback", webhookEventId: "w2", source: { userId: "U1" }, postback: { data: "deny:1" } },
    ],
  });
  const { url, calls } = await startPlatformServer({
    "POST /v2/bot/message/push": ({ headers }) => ({
      status: calls.filter((c) => c.headers["x-line-retry-key"] === headers["x-line-retry-key"]).length > 1 ? 409 : 200,
      body: { sentMessages: [{ id: "77" }] },
    }),
    "GET /v2/bot/message/1/content": () => ({ bytes: Buffer.from("pixels") }),
  });
  const line = await driver("line", { settings: { apiUrl: url }, secrets });
  const signature = createHmac("sha256", secrets.channelSecret).update(body).digest("base64");
  expect((await line.receive?.(raw(body, { "x-line-signature": signature })))?.events).toMatchObject([
    { kind: "message", key: "message:1", place: "private", chat: "U1", text: "Hi" },
    { kind: "click", key: "click:w2", text: "deny:1" },
  ]);
  expect(await line.receive?.(raw(`${body} `, { "x-line-signature": signature }))).toBeNull();
  const other = (message: object) => {
    const sent = JSON.stringify({ events: [{ type: "message", webhookEventId: "w3", source: { userId: "U1" }, message }] });
    return line.receive?.(raw(sent, { "x-line-signature": createHmac("sha256", secrets.channelSecret).update(sent).digest("base64") }));
  };
  expect((await other({ id: "2", type: "sticker", packageId: "1", stickerId: "2", keywords: ["cheerful"] }))?.events).toMatchObject([
    { text: "[sticker cheerful]" },
  ]);
  const location = { id: "3", type: "location", title: "Office", address: "1 Main St", latitude: 48.1, longitude: 11.5 };
  expect((await other(location))?.events).toMatchObject([{ text: "[location Office, 1 Main St, 48.1, 11.5]" }]);
  expect(await line.post(to("U1"), card, key)).toBe("77");
  await expect(line.post(to("U1"), card, key)).resolves.toBe("77");
  expect(calls[0]?.body).toMatchObject({ to: "U1", messages: [{ quickReply: { items: [{ action: { data: "approve:1" } }, {}] } }] });
  expect(Buffer.from((await line.file?.("1", 100)) ?? []).toString()).toBe("pixels");
});

test("WhatsApp: the address is confirmed, calls are signed, and cards have buttons", async () => {
  const secrets = { token: "wa-token", appSecret: "wa-secret", verifyToken: "verify me" };
  const { url, calls } = await startPlatformServer({
    "POST /55/messages": () => ({ messages: [{ id: "wamid.1" }] }),
    "POST /55/media": () => ({ id: "media1" }),
  });
  const whatsapp = await driver("whatsapp", { settings: { apiUrl: url, phoneNumberId: "55" }, secrets });
  const asked = { "hub.mode": "subscribe", "hub.verify_token": "verify me", "hub.challenge": "1158201444" };
  expect((await whatsapp.receive?.(raw("", {}, asked, "GET")))?.answer?.body).toBe("1158201444");
  expect(await whatsapp.receive?.(raw("", {}, { ...asked, "hub.verify_token": "guess" }, "GET"))).toBeNull();
  const value = (messages: object[]) => ({
    entry: [
      { changes: [{ value: { metadata: { phone_number_id: "55" }, contacts: [{ wa_id: "491", profile: { name: "Ada" } }], messages } }] },
    ],
  });
  const call = (body: string) =>
    whatsapp.receive?.(
      raw(body, { "x-hub-signature-256": `sha256=${createHmac("sha256", secrets.appSecret).update(body).digest("hex")}` }),
    );
  const messages = [
    { id: "wamid.a", from: "491", type: "text", text: { body: "Hi" } },
    {
      id: "wamid.b",
      from: "491",
      type: "interactive",
      context: { id: "wamid.1" },
      interactive: { button_reply: { id: "approve:1", title: "Approve" } },
    },
    { id: "wamid.c", from: "491", type: "document", document: { id: "m1", filename: "a.pdf", mime_type: "application/pdf" } },
  ];
  expect((await call(JSON.stringify(value(messages))))?.events).toMatchObject([
    { text: "Hi", sender: { id: "491", name: "Ada" } },
    { kind: "click", text: "approve:1", messageRef: "wamid.1" },
    { files: [{ ref: "m1", name: "a.pdf" }] },
  ]);
  expect(await whatsapp.receive?.(raw(value(messages), { "x-hub-signature-256": "sha256=00" }))).toBeNull();
  const others = [
    { type: "sticker", sticker: { id: "m2", mime_type: "image/webp" } },
    { type: "location", location: { latitude: 48.1, longitude: 11.5, name: "Office" } },
    { type: "contacts", contacts: [{ name: { formatted_name: "Ann\nB" }, phones: [{ phone: "+49 151" }] }] },
    { type: "order", order: { product_items: [{}, {}] } },
    { type: "button", button: { payload: "yes", text: "Yes please" } },
    { type: "interactive", interactive: { type: "list_reply", list_reply: { id: "1", title: "The first" } } },
    { type: "unsupported", errors: [{ code: 131_051 }] },
    { type: "reaction", reaction: { message_id: "wamid.1", emoji: "👍" } },
    { type: "system", system: { body: "Ada changed her number", type: "user_changed_number" } },
  ].map((message, place) => ({ id: `wamid.o${place}`, from: "491", ...message }));
  expect((await call(JSON.stringify(value(others))))?.events.map(({ text }) => text)).toEqual([
    ...["[sticker]", "[location Office, 48.1, 11.5]", "[contact Ann B, +49 151]", "[order 2 products]", "Yes please", "The first"],
    "[message of a kind that WhatsApp does not pass on]",
  ]);
  expect(await whatsapp.post(to("491"), card, key)).toBe("wamid.1");
  expect(calls[0]?.body).toMatchObject({ to: "491", type: "interactive" });
  await whatsapp.post(to("491"), file, key);
  expect(calls.at(-1)?.body).toMatchObject({ type: "document", document: { id: "media1", filename: "a.txt", caption: "Here" } });
});

test("Discord: interactions are signed with Ed25519, messages name nobody, and a part has a nonce", async () => {
  const pair = generateKeyPairSync("ed25519");
  const publicKey = pair.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
  const { url, calls } = await startPlatformServer({
    "POST /channels/1/messages": () => ({ id: "88" }),
    "PATCH /channels/1/messages/88": () => ({ id: "88" }),
    "PUT /channels/1/messages/88/reactions/*": () => ({ status: 204, body: "" }),
  });
  const discord = await driver("discord", { settings: { apiUrl: url, publicKey }, secrets: { token: "discord-token" } });
  const call = (body: string, at = now()) =>
    discord.receive?.(
      raw(body, {
        "x-signature-timestamp": at,
        "x-signature-ed25519": sign(null, Buffer.from(at + body), pair.privateKey).toString("hex"),
      }),
    );
  expect((await call('{"type":1}'))?.answer?.body).toBe('{"type":1}');
  const click = {
    id: "5",
    type: 3,
    channel_id: "1",
    user: { id: "7", username: "ada" },
    message: { id: "88" },
    data: { custom_id: "approve:1" },
  };
  expect(await call(JSON.stringify(click))).toMatchObject({
    events: [{ kind: "click", text: "approve:1", messageRef: "88" }],
    answer: { body: '{"type":6}' },
  });
  expect(await discord.receive?.(raw('{"type":1}', { "x-signature-timestamp": now(), "x-signature-ed25519": "00".repeat(64) }))).toBeNull();
  expect(await discord.post(to("1"), card, key)).toBe("88");
  expect(calls[0]?.body).toMatchObject({
    enforce_nonce: true,
    allowed_mentions: { parse: [] },
    components: [{ components: [{ custom_id: "approve:1" }, {}] }],
  });
  await discord.edit?.(to("1"), "88", "Approved");
  expect(calls[1]?.body).toMatchObject({ content: "Approved", components: [] });
  await discord.react?.(to("1"), "88", "✅", false);
  await discord.post(to("1"), file, key);
  expect(calls.at(-1)?.body["files[0]"]).toEqual({ name: "a.txt", bytes: 5 });
  const { nonce } = calls[0]?.body ?? {};
  expect(JSON.parse(String(calls.at(-1)?.body.payload_json))).toMatchObject({ content: "Here", nonce, enforce_nonce: true });
});

test("Lark: events are encrypted and signed, answers are cards below the message", async () => {
  const secrets = { appSecret: "lark-secret", encryptKey: "lark-encrypt", verificationToken: "lark-verify" };
  const { url, calls } = await startPlatformServer({
    "POST /open-apis/auth/v3/tenant_access_token/internal": () => ({ code: 0, tenant_access_token: "t-1", expire: 7_200 }),
    "POST /open-apis/im/v1/messages/om_1/reply": () => ({ code: 0, data: { message_id: "om_2" } }),
    "PATCH /open-apis/im/v1/messages/om_2": () => ({ code: 0 }),
    "GET /open-apis/contact/v3/users/ou_1": ({ query }) =>
      query.get("user_id_type") === "open_id" ? { code: 0, data: { user: { name: "Ada", email: "" } } } : { code: 1 },
    "GET /open-apis/contact/v3/users/ou_2": () => ({ status: 400, body: { code: 99_991_672, msg: "Access denied" } }),
  });
  const lark = await driver("lark", { settings: { apiUrl: url, appId: "cli_1" }, secrets, bot: { id: "ou_bot", name: "Helper" } });
  const encrypted = (event: object) => {
    const cipher = createCipheriv("aes-256-cbc", createHash("sha256").update(secrets.encryptKey).digest(), Buffer.alloc(16, 7));
    return JSON.stringify({
      encrypt: Buffer.concat([Buffer.alloc(16, 7), cipher.update(JSON.stringify(event)), cipher.final()]).toString("base64"),
    });
  };
  const call = (event: object, salt = secrets.encryptKey) => {
    const body = encrypted(event);
    const at = now();
    const signature = createHash("sha256").update(`${at}n${salt}${body}`).digest("hex");
    return lark.receive?.(raw(body, { "x-lark-request-timestamp": at, "x-lark-request-nonce": "n", "x-lark-signature": signature }));
  };
  expect((await lark.receive?.(raw(encrypted({ type: "url_verification", token: "lark-verify", challenge: "c" }))))?.answer?.body).toBe(
    '{"challenge":"c"}',
  );
  const message = {
    message_id: "om_1",
    chat_id: "oc_1",
    chat_type: "group",
    message_type: "text",
    content: '{"text":"@_user_1 hi"}',
    mentions: [{ key: "@_user_1", id: { open_id: "ou_bot" }, name: "Helper" }],
  };
  const event = {
    header: { event_type: "im.message.receive_v1", token: "lark-verify" },
    event: { sender: { sender_type: "user", sender_id: { open_id: "ou_1" } }, message },
  };
  expect((await call(event))?.events).toMatchObject([
    { key: "message:om_1", place: "group", text: "hi", isMention: true, replyTo: { message: "om_1" } },
  ]);
  const parts = [
    [
      { tag: "at", user_id: "@_user_1" },
      { tag: "text", text: " look at " },
      { tag: "a", text: "this", href: "https://a.example" },
    ],
    [{ tag: "img", image_key: "img_9" }],
  ];
  const formatted = { ...message, message_type: "post", content: JSON.stringify({ title: "Plan", content: parts }) };
  expect((await call({ ...event, event: { ...event.event, message: formatted } }))?.events).toMatchObject([
    { text: "Plan\n look at this (https://a.example)", isMention: true, files: [{ ref: "om_1 img_9 image", kind: "image" }] },
  ]);
  const others = [
    ["sticker", { file_key: "f1" }],
    ["location", { name: "Office", longitude: "11.5", latitude: "48.1" }],
    ["share_user", { user_id: "ou_2" }],
    ["todo", { summary: { title: "Ship it", content: [] }, due_time: "1700000000000" }],
    ["vote", { topic: "Lunch?", options: ["Soup", "Rice"] }],
    ["something_new", {}],
    ["system", { template: "{from_user} invited {to_chatters}" }],
  ] as const;
  const told = await Promise.all(
    others.map(([type, content]) =>
      call({ ...event, event: { ...event.event, message: { ...message, message_type: type, content: JSON.stringify(content) } } }),
    ),
  );
  expect(told.flatMap((one) => one?.events.map(({ text, files }) => [text, files.length]))).toEqual([
    ["[sticker]", 0],
    ["[location Office, 48.1, 11.5]", 0],
    ["[contact ou_2]", 0],
    ["[task Ship it, 2023-11-14T22:13:20.000Z]", 0],
    ["[poll Lunch?, Soup, Rice]", 0],
    ["[message of a kind that Lark does not pass on]", 0],
  ]);
  const reply = { ...message, content: '{"text":"and now?"}', mentions: [], parent_id: "om_2" };
  expect((await call({ ...event, event: { ...event.event, message: reply } }))?.events).toMatchObject([
    { isMention: false, repliesTo: "om_2" },
  ]);
  expect(await call(event, "other")).toBeNull();
  expect(await call({ ...event, header: { ...event.header, token: "guess" } })).toBeNull();
  expect(await lark.post(to("oc_1", { kind: "group", replyTo: { message: "om_1" } }), card, key)).toBe("om_2");
  expect(String(calls[1]?.body.content)).toContain("approve:1");
  await lark.edit?.(to("oc_1"), "om_2", "Approved");
  expect(calls.at(-1)).toMatchObject({ method: "PATCH", headers: { authorization: "Bearer t-1" } });
  expect(await lark.sender?.("ou_1")).toEqual({ name: "Ada", email: null });
  await expect(lark.sender?.("ou_2")).rejects.toMatchObject({ failure: "refused" });
});

test.each([undefined, 1e10, 0.001])(
  "Lark: the long connection stores an event before it acknowledges it, joins parts, and keeps the ids as they came, whatever interval of pings it names (%s)",
  async (PingInterval) => {
    const socket = await startLarkSocket();
    let isOpen = true;
    const { url } = await startPlatformServer({
      "POST /callback/ws/endpoint": ({ body }) =>
        body.AppSecret === "right" && isOpen
          ? { code: 0, data: { URL: socket.url, ClientConfig: { PingInterval } } }
          : { code: 1_000_040_343, msg: "busy" },
    });
    const stop = new AbortController();
    const stored: string[] = [];
    const lark = await driver("lark", { settings: { apiUrl: url, appId: "cli_1" }, secrets: { appSecret: "right" } });
    const { promise: opened, resolve } = Promise.withResolvers<void>();
    const store = async (events: readonly { key: string }[]) => {
      expect(socket.acknowledged.length).toBeLessThanOrEqual(stored.length);
      stored.push(...events.map(({ key: eventKey }) => eventKey));
    };
    const connection = lark.connect?.({ signal: stop.signal, opened: resolve, store, cursor: null });
    await opened;
    const message = (id: string, text: string) => ({
      header: { event_type: "im.message.receive_v1" },
      event: {
        sender: { sender_type: "user", sender_id: { open_id: "ou_1" } },
        message: { message_id: id, chat_id: "oc_1", chat_type: "p2p", message_type: "text", content: JSON.stringify({ text }) },
      },
    });
    await expect.poll(() => socket.pings()).toBe(1);
    socket.push("f1", message("om_1", "hi"));
    socket.push("f2", message("om_2", "long".repeat(100)), { parts: 3 });
    // An event of another kind is acknowledged, or it would come again and again.
    socket.push("f3", { header: { event_type: "im.chat.updated_v1" }, event: {} });
    await expect.poll(() => socket.acknowledged).toHaveLength(3);
    expect(stored).toEqual(["message:om_1", "message:om_2"]);
    expect(socket.pings()).toBe(1);
    expect(socket.acknowledged[0]).toMatchObject({
      logId: largeIdText,
      payload: '{"code":200}',
      headers: { message_id: "f1", biz_rt: expect.any(String) },
    });
    stop.abort();
    await expect(connection).rejects.toThrow("was ended");
    isOpen = false;
    await expect(lark.connect?.({ signal: new AbortController().signal, opened: resolve, store, cursor: null })).rejects.toThrow(
      "Lark: busy",
    );
  },
);

test("DingTalk: calls are signed, and answers go to the person or the group", async () => {
  const { url, calls } = await startPlatformServer({
    "POST /v1.0/oauth2/accessToken": () => ({ accessToken: "d-1", expireIn: 7_200 }),
    "POST /v1.0/robot/oToMessages/batchSend": () => ({ processQueryKey: "p1" }),
    "POST /v1.0/robot/groupMessages/send": () => ({ processQueryKey: "p2" }),
    "POST /media/upload": () => ({ errcode: 0, media_id: "@m1" }),
  });
  const dingtalk = await driver("dingtalk", { settings: { apiUrl: url, clientId: "ding1" }, secrets: { clientSecret: "ding-secret" } });
  const at = String(Date.now());
  const signature = (time: string) => ({
    timestamp: time,
    sign: createHmac("sha256", "ding-secret").update(`${time}\nding-secret`).digest("base64"),
  });
  const message = {
    msgId: "m1",
    conversationId: "c1",
    conversationType: "1",
    senderStaffId: "s1",
    senderNick: "Ada",
    msgtype: "text",
    text: { content: " Hi " },
  };
  expect((await dingtalk.receive?.(raw(message, signature(at))))?.events).toMatchObject([
    { key: "message:m1", place: "private", text: "Hi", replyTo: { user: "s1" } },
  ]);
  const richText = [{ text: "Look: " }, { type: "picture", downloadCode: "c9" }];
  const formatted = { ...message, msgtype: "richText", text: undefined, content: { richText } };
  expect((await dingtalk.receive?.(raw(formatted, signature(at))))?.events).toMatchObject([
    { text: "Look:", files: [{ ref: "c9", kind: "image" }] },
  ]);
  const other = async (msgtype: string, content: object) =>
    (await dingtalk.receive?.(raw({ ...message, msgtype, text: undefined, content }, signature(at))))?.events.map(({ text }) => text);
  expect(await other("chatRecord", { summary: "Ada: Hi\nBo: Hello" })).toEqual(["[forwarded messages Ada: Hi Bo: Hello]"]);
  expect(await other("unknownMsgType", {})).toEqual(["[message of a kind that DingTalk does not pass on]"]);
  expect(await other("text", {})).toEqual([]);
  expect(await dingtalk.receive?.(raw(message, signature(String(Date.now() - 7_200_000))))).toBeNull();
  expect(await dingtalk.receive?.(raw(message, { timestamp: at, sign: "x" }))).toBeNull();
  expect(await dingtalk.post(to("c1", { replyTo: { user: "s1" } }), card, key)).toBe("p1");
  expect(calls[1]?.body).toMatchObject({ userIds: ["s1"], robotCode: "ding1" });
  expect(await dingtalk.post(to("g1", { kind: "group" }), card, key)).toBe("p2");
  await dingtalk.post(to("g1", { kind: "group" }), file, key);
  expect(calls.at(-2)).toMatchObject({ path: "/media/upload", body: { media: { name: "a.txt", bytes: 5 } } });
  const sentFile = calls.at(-1)?.body ?? {};
  expect([sentFile.msgKey, JSON.parse(String(sentFile.msgParam))]).toEqual([
    "sampleFile",
    { mediaId: "@m1", fileName: "a.txt", fileType: "txt" },
  ]);
});

test.each([
  [{ sticker: { file_id: "s1", emoji: "👍" } }, "[sticker 👍]"],
  [{ location: { latitude: 48.1, longitude: 11.5 } }, "[location 48.1, 11.5]"],
  [
    { location: { latitude: 1, longitude: 2 }, venue: { location: { latitude: 1, longitude: 2 }, title: "Café", address: "Main St" } },
    "[location Café, Main St, 1, 2]",
  ],
  [{ contact: { phone_number: "+49151", first_name: "Ann", last_name: "B" } }, "[contact Ann B, +49151]"],
  [{ poll: { question: "Lunch?", options: [{ text: "Soup" }, { text: "Rice" }] } }, "[poll Lunch?, Soup, Rice]"],
  [{ dice: { emoji: "🎲", value: 5 } }, "[dice 🎲, 5]"],
  [{ story: { id: 1, chat: { id: 5 } } }, "[story]"],
  [{ new_chat_members: [{ id: 5, first_name: "Bo" }] }, null],
  [{ pinned_message: { message_id: 3, text: "Rules" } }, null],
])("Telegram: a message with %j is told to the agent in words, and one of the service is not", async (members, text) => {
  const telegram = await driver("telegram", { secrets: { token: "1:t", callback: "call-me" } });
  const message = { message_id: 5, chat: { id: 71, type: "private" }, from: { id: 71, first_name: "Ada" }, ...members };
  const received = await telegram.receive?.(raw({ update_id: 1, message }, { "x-telegram-bot-api-secret-token": "call-me" }));
  expect(received?.events.map((event) => event.text)).toEqual(text === null ? [] : [text]);
});

test("WeCom: the address is confirmed, calls are signed and encrypted XML", async () => {
  const aesKey = Buffer.alloc(32, 3).toString("base64").slice(0, 43);
  const secrets = { secret: "we-secret", token: "we-token", aesKey };
  const { url, calls } = await startPlatformServer({
    "GET /cgi-bin/gettoken": () => ({ errcode: 0, access_token: "w-1", expires_in: 7_200 }),
    "POST /cgi-bin/message/send": () => ({ errcode: 0, msgid: "w2" }),
  });
  const wecom = await driver("wecom", { settings: { apiUrl: url, corpId: "corp", agentId: "1000002" }, secrets });
  const encrypted = (text: string, corp = "corp") => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(text));
    const plain = Buffer.concat([Buffer.alloc(16, 1), length, Buffer.from(text), Buffer.from(corp)]);
    const pad = 32 - (plain.byteLength % 32);
    const bytes = Buffer.from(`${aesKey}=`, "base64");
    const cipher = createCipheriv("aes-256-cbc", bytes, bytes.subarray(0, 16)).setAutoPadding(false);
    return Buffer.concat([cipher.update(Buffer.concat([plain, Buffer.alloc(pad, pad)])), cipher.final()]).toString("base64");
  };
  const query = (sealed: string) => {
    const at = now();
    return {
      timestamp: at,
      nonce: "n",
      msg_signature: createHash("sha1").update([secrets.token, at, "n", sealed].sort().join("")).digest("hex"),
    };
  };
  const echo = encrypted("echo me");
  expect((await wecom.receive?.(raw("", {}, { ...query(echo), echostr: echo }, "GET")))?.answer?.body).toBe("echo me");
  const xml =
    "<xml><FromUserName><![CDATA[ada]]></FromUserName><MsgType>text</MsgType><Content><![CDATA[Hi & bye]]></Content><MsgId>9</MsgId><AgentID>1000002</AgentID></xml>";
  const sealed = encrypted(xml);
  const body = `<xml><ToUserName>corp</ToUserName><Encrypt><![CDATA[${sealed}]]></Encrypt></xml>`;
  expect((await wecom.receive?.(raw(body, {}, query(sealed))))?.events).toMatchObject([
    { key: "message:9", chat: "ada", text: "Hi & bye" },
  ]);
  expect(await wecom.receive?.(raw(body, {}, { ...query(sealed), msg_signature: "0".repeat(40) }))).toBeNull();
  const other = async (members: string) => {
    const given = `<xml><FromUserName>ada</FromUserName>${members}<AgentID>1000002</AgentID></xml>`;
    const secret = encrypted(given);
    return (await wecom.receive?.(raw(body.replace(sealed, secret), {}, query(secret))))?.events.map(({ text }) => text);
  };
  const place = "<Location_X>48.1</Location_X><Location_Y>11.5</Location_Y><Label>Office</Label><MsgId>10</MsgId>";
  expect(await other(`<MsgType>location</MsgType>${place}`)).toEqual(["[location Office, 48.1, 11.5]"]);
  const page = "<Title>Plan</Title><Description>Ours</Description><Url>https://a.example</Url><MsgId>11</MsgId>";
  expect(await other(`<MsgType>link</MsgType>${page}`)).toEqual(["[link Plan, Ours, https://a.example]"]);
  expect(await other("<MsgType>event</MsgType><Event>enter_agent</Event>")).toEqual([]);
  const foreign = encrypted(xml, "other");
  expect(await wecom.receive?.(raw(body.replace(sealed, foreign), {}, query(foreign)))).toBeNull();
  expect(await wecom.post(to("ada"), card, key)).toBe("w2");
  expect(calls.at(-1)).toMatchObject({ body: { touser: "ada", agentid: 1_000_002, msgtype: "text" } });
});

test("Teams: an activity needs the Bot Framework's token with the same service address", async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" };
  const { url, calls } = await startPlatformServer({
    "GET /keys": () => ({ keys: [jwk] }),
    "GET /download/1": () => ({ bytes: Buffer.from("a plan") }),
    "POST /t1/oauth2/v2.0/token": () => ({ access_token: "ms-1", expires_in: 3_600 }),
    "POST /v3/conversations/a%3A1/activities": () => ({ id: "act2" }),
    "PUT /v3/conversations/a%3A1/activities/act2": () => ({ id: "act2" }),
  });
  const teams = await driver("teams", {
    settings: { appId: "app1", tenantId: "t1", loginUrl: url, keysUrl: `${url}/keys` },
    secrets: { clientSecret: "ms-secret" },
  });
  const token = (claims: object, audience = "app1") =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .setIssuer("https://api.botframework.com")
      .setAudience(audience)
      .setExpirationTime("5m")
      .sign(privateKey);
  const activity = {
    type: "message",
    id: "1",
    serviceUrl: url,
    text: "Hi",
    from: { id: "29:x", aadObjectId: "aad1", name: "Ada" },
    recipient: { id: "28:app1" },
    conversation: { id: "a:1", conversationType: "personal" },
  };
  const call = async (bearer: string, body: object = activity) => teams.receive?.(raw(body, { authorization: `Bearer ${bearer}` }));
  expect((await call(await token({ serviceurl: url })))?.events).toMatchObject([
    { chat: "a:1", text: "Hi", sender: { id: "aad1", name: "Ada" }, replyTo: { service: url } },
  ]);
  expect(await call(await token({ serviceurl: url }), { ...activity, serviceUrl: "https://evil.example" })).toBeNull();
  expect(await call(await token({ serviceurl: url }, "other"))).toBeNull();
  expect(await call("a.b.c")).toBeNull();
  expect(
    (await call(await token({ serviceurl: url }), { ...activity, text: "", value: { handrail: "approve:1" }, replyToId: "act2" }))?.events,
  ).toMatchObject([{ kind: "click", text: "approve:1", messageRef: "act2" }]);
  const inGroup = { ...activity, conversation: { id: "19:g", conversationType: "groupChat" } };
  const html = '<blockquote itemscope="" itemtype="http://schema.skype.com/Reply" itemid="171"><p>Done</p></blockquote><p>and now?</p>';
  const replies = [
    { ...inGroup, replyToId: "17" },
    { ...inGroup, text: '<quoted messageId="170"/> Hi', entities: [{ type: "quotedReply", quotedReply: { messageId: "170" } }] },
    { ...inGroup, attachments: [{ contentType: "text/html", content: html }] },
  ];
  const quoting = await Promise.all(replies.map(async (one) => call(await token({ serviceurl: url }), one)));
  expect(quoting.flatMap((one) => one?.events.map(({ text, isMention, repliesTo }) => [text, isMention, repliesTo]))).toEqual([
    ["Hi", false, "17"],
    ["Hi", false, "170"],
    ["Hi", false, "171"],
  ]);
  const offered = {
    contentType: "application/vnd.microsoft.teams.file.download.info",
    name: "plan.txt",
    content: { downloadUrl: `${url}/download/1` },
  };
  const withFile = await call(await token({ serviceurl: url }), { ...activity, text: "", attachments: [offered] } as never);
  expect(withFile?.events[0]?.files).toMatchObject([{ name: "plan.txt", kind: "file" }]);
  expect(Buffer.from((await teams.file?.(withFile?.events[0]?.files[0]?.ref ?? "", 100)) ?? []).toString()).toBe("a plan");
  expect(calls.at(-1)?.headers.authorization, "the token goes to nobody but the service").toBeUndefined();
  expect(await teams.post(to("a:1", { replyTo: { service: url } }), card, key)).toBe("act2");
  await teams.post(to("a:1", { replyTo: { service: url } }), { ...picture, caption: "The chart" }, key);
  expect(calls.at(-1)?.body).toMatchObject({
    text: "The chart",
    attachments: [{ contentType: "image/png", contentUrl: "data:image/png;base64,cGl4ZWxz" }],
  });
  await teams.edit?.(to("a:1", { replyTo: { service: url } }), "act2", "Approved");
  expect(calls.at(-1)).toMatchObject({ method: "PUT", headers: { authorization: "Bearer ms-1" }, body: { text: "Approved" } });
});

test("Google Chat: an event needs Google's token for the project, answers carry a request id", async () => {
  const google = await generateKeyPair("RS256");
  const service = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(google.publicKey)), kid: "g1", alg: "RS256" };
  const { url, calls } = await startPlatformServer({
    "GET /keys": () => ({ keys: [jwk] }),
    "POST /token": () => ({ access_token: "ya29", expires_in: 3_600 }),
    "POST /v1/spaces/S1/messages": () => ({ name: "spaces/S1/messages/M2" }),
    "PATCH /v1/spaces/S1/messages/M2": () => ({}),
    "GET /v1/media/spaces/S1/attachments/A1": () => ({ bytes: Buffer.from("a plan") }),
  });
  const serviceAccount = JSON.stringify({ client_email: "bot@p.iam", private_key: await exportPKCS8(service.privateKey) });
  const chat = await driver("google_chat", {
    settings: { apiUrl: url, projectNumber: "123", tokenUrl: `${url}/token`, keysUrl: `${url}/keys` },
    secrets: { serviceAccount },
  });
  const token = (audience: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: "RS256", kid: "g1" })
      .setIssuer("chat@system.gserviceaccount.com")
      .setAudience(audience)
      .setExpirationTime("5m")
      .sign(google.privateKey);
  const space = { name: "spaces/S1", type: "DM" };
  const user = { name: "users/1", displayName: "Ada", email: "ada@example.com", type: "HUMAN" };
  const event = { type: "MESSAGE", space, user, message: { name: "spaces/S1/messages/M1", text: "Hi" } };
  expect((await chat.receive?.(raw(event, { authorization: `Bearer ${await token("123")}` })))?.events).toMatchObject([
    { key: "message:spaces/S1/messages/M1", place: "private", text: "Hi" },
  ]);
  expect(await chat.receive?.(raw(event, { authorization: `Bearer ${await token("999")}` }))).toBeNull();
  const attachment = [
    { contentName: "plan.txt", contentType: "text/plain", attachmentDataRef: { resourceName: "spaces/S1/attachments/A1" } },
  ];
  const withFile = { ...event, message: { name: "spaces/S1/messages/M3", attachment } };
  const [received] = (await chat.receive?.(raw(withFile, { authorization: `Bearer ${await token("123")}` })))?.events ?? [];
  expect(received?.files).toMatchObject([{ ref: "spaces/S1/attachments/A1", name: "plan.txt", kind: "file" }]);
  expect(Buffer.from((await chat.file?.(received?.files[0]?.ref ?? "", 100)) ?? []).toString()).toBe("a plan");
  const click = {
    type: "CARD_CLICKED",
    eventTime: "t",
    space,
    user,
    message: { name: "spaces/S1/messages/M2" },
    action: { parameters: [{ key: "value", value: "deny:1" }] },
  };
  expect((await chat.receive?.(raw(click, { authorization: `Bearer ${await token("123")}` })))?.events).toMatchObject([
    { kind: "click", text: "deny:1" },
  ]);
  expect(await chat.post(to("spaces/S1"), card, key)).toBe("spaces/S1/messages/M2");
  expect(calls.at(-1)?.query.get("requestId")).toBe(`client-${key}`);
  await chat.edit?.(to("spaces/S1"), "spaces/S1/messages/M2", "**Approved**");
  expect(calls.at(-1)?.body).toMatchObject({ text: "*Approved*", cardsV2: [] });
});

test("a platform that hangs, redirects or sends too much is given up with a sentence that holds no secret", async () => {
  const { url } = await startPlatformServer({
    "POST /big": () => ({ bytes: Buffer.alloc(3_000_000, 97) }),
    "POST /secret": () => ({ status: 400, body: "token s3cret-token is wrong" }),
  });
  const http = platformHttp(["s3cret-token"]);
  await expect(http.call(`${url}/big`, { json: {} })).rejects.toMatchObject({ failure: "refused" });
  await expect(http.call(`${url}/secret`, { json: {} })).rejects.toThrow("token … is wrong");
  await expect(http.call("http://127.0.0.1:1/x?s3cret-token", { json: {} })).rejects.toMatchObject({ failure: "unsent" });
});
