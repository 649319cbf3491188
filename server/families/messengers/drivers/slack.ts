import type { Json, JsonObject } from "@/contracts/common";
import type { ReceivedFile } from "@/db/schema";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, type PlatformRequest, readJson } from "../platform-http";
import { renderText } from "../text/text-styles";
import type { Account, Driver, InboundEvent, Received, SentPart, Target } from "./driver";
import { identifyOnce } from "./identify-once";
import { kindOfFile } from "./kind-of-file";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { hmacSha256, isEqualSecret, isRecent } from "./signatures";
import { openSocket } from "./socket";

const usualApi = "https://slack.com/api";
/** Slack pings every few seconds. */
const silentMs = 60_000;
/** Characters of one section of a card. */
const maxSectionChars = 2_900;

/** The Web API with the Events API (signed), or the socket mode. */
export function slack(account: Account, http: PlatformHttp): Driver {
  const { botToken = "", appToken = "", signingSecret = "" } = account.secrets;
  const api = (account.settings.apiUrl ?? usualApi).replace(/\/+$/, "");
  const call = (method: string, request: PlatformRequest = {}, token = botToken) =>
    callApi(http, `${api}/${method}`, { ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } });
  const me = async () => {
    const answer = await call("auth.test", { json: {} });
    return { id: textIn(answer, "user_id"), name: textIn(answer, "user") };
  };
  const bot = identifyOnce(account, me);

  return {
    identify: me,
    async receive({ headers, body }) {
      const text = Buffer.from(body).toString("utf8");
      const timestamp = headers.get("x-slack-request-timestamp") ?? "";
      const expected = `v0=${hmacSha256(signingSecret, `v0:${timestamp}:${text}`, "hex")}`;
      if (signingSecret === "" || !isRecent(Number(timestamp)) || !isEqualSecret(headers.get("x-slack-signature"), expected)) return null;
      const form = text.startsWith("payload=") ? new URLSearchParams(text).get("payload") : null;
      const payload = readJson(Buffer.from(form ?? text)) ?? {};
      if (textIn(payload, "type") === "url_verification") {
        return { events: [], answer: { body: JSON.stringify({ challenge: textIn(payload, "challenge") }) } };
      }
      return eventsOf(payload, await bot());
    },
    async connect({ signal, opened, store }) {
      const us = await bot();
      const address = textIn(await call("apps.connections.open", { form: new URLSearchParams() }, appToken), "url");
      const socket = await openSocket(address, { signal, silentMs });
      for await (const message of socket.messages()) {
        const envelope = readJson(Buffer.from(message)) ?? {};
        const type = textIn(envelope, "type");
        if (type === "hello") opened();
        if (type === "disconnect") return socket.close();
        const id = textIn(envelope, "envelope_id");
        if (!id) continue;
        // Stored first: Slack sends again what was not acknowledged.
        await store(eventsOf(objectIn(envelope, "payload"), us).events);
        socket.send(JSON.stringify({ envelope_id: id }));
      }
    },
    post: (target, part) => post(call, http, target, part),
    async edit({ chat }, messageRef, text) {
      const words = renderText(text, "slack");
      await call("chat.update", { json: { channel: chat, ts: messageRef, text: words, blocks: [] } });
    },
    async react({ chat }, messageRef, emoji) {
      const name = emojiName(emoji);
      await call("reactions.add", { json: { channel: chat, timestamp: messageRef, name } }).catch((error: unknown) => {
        if (!(error instanceof Error && /already_reacted/.test(error.message))) throw error;
      });
    },
    async file(ref, maxBytes) {
      const host = URL.parse(ref)?.hostname ?? "";
      // The token must reach no other host.
      if (host !== URL.parse(api)?.hostname && !/(^|\.)slack\.com$/.test(host))
        throw new PlatformError("refused", "The file lies at no address of Slack.");
      const { status, bytes, headers } = await http.request(ref, {
        headers: { authorization: `Bearer ${botToken}` },
        maxBytes,
        timeoutMs: 60_000,
      });
      if (status !== 200 || headers["content-type"]?.startsWith("text/html"))
        throw new PlatformError("refused", `Slack answered ${status} for the file.`);
      return bytes;
    },
    async sender(id) {
      const user = objectIn(await call("users.info", { form: new URLSearchParams({ user: id }) }), "user");
      const profile = objectIn(user, "profile");
      return { name: textIn(profile, "real_name") || textIn(user, "name") || id, email: textIn(profile, "email") || null };
    },
    async emojiNames() {
      return new Set(Object.keys(objectIn(await call("emoji.list", { form: new URLSearchParams() }), "emoji")));
    },
  };
}

/** Slack says in the body what is wrong, with status 200. @throws PlatformError */
async function callApi(http: PlatformHttp, url: string, request: PlatformRequest): Promise<JsonObject> {
  const answer = await http.call(url, { method: "POST", ...request });
  if (answer.ok === true) return answer;
  const reason = textIn(answer, "error") || "no reason";
  if (reason === "ratelimited" || reason === "rate_limited")
    throw new PlatformError("rate", "Slack asks for fewer requests.", { retryAfterMs: 5_000 });
  const isTheirs = reason === "internal_error" || reason === "fatal_error" || reason === "service_unavailable";
  throw new PlatformError(isTheirs ? "unknown" : "refused", `Slack: ${reason}`);
}

type Call = (method: string, request?: PlatformRequest) => Promise<JsonObject>;

async function post(call: Call, http: PlatformHttp, { chat, thread }: Target, part: SentPart): Promise<string | null> {
  const where = { channel: chat, ...(thread ? { thread_ts: thread } : {}) };
  if (part.kind === "file") return postFile(call, http, { chat, thread }, part);
  const text = renderText(part.text, "slack");
  const blocks = part.kind === "card" && part.buttons.length > 0 ? { blocks: cardBlocks(text, part) } : {};
  const json = { ...where, text, ...blocks, unfurl_links: false, unfurl_media: false };
  return textIn(await call("chat.postMessage", { json }), "ts");
}

function cardBlocks(text: string, { buttons }: Extract<SentPart, { kind: "card" }>) {
  const elements = buttons.map(({ label, value, style }, index) => ({
    type: "button",
    action_id: `handrail_${index}`,
    text: { type: "plain_text", text: label.slice(0, 75) },
    value,
    ...(style ? { style } : {}),
  }));
  return [
    { type: "section", text: { type: "mrkdwn", text: text.slice(0, maxSectionChars).toWellFormed() } },
    { type: "actions", elements },
  ];
}

async function postFile(
  call: Call,
  http: PlatformHttp,
  { chat, thread }: Pick<Target, "chat" | "thread">,
  { name, bytes, caption }: Extract<SentPart, { kind: "file" }>,
): Promise<string | null> {
  const asked = await call("files.getUploadURLExternal", {
    form: new URLSearchParams({ filename: name, length: String(bytes.byteLength) }),
  });
  const { status } = await http.request(textIn(asked, "upload_url"), { method: "POST", bytes, timeoutMs: 120_000 });
  if (status !== 200) throw new PlatformError("refused", `Slack answered ${status} to the upload.`);
  const files = [{ id: textIn(asked, "file_id"), title: name }];
  const json = { files, channel_id: chat, ...(thread ? { thread_ts: thread } : {}), ...(caption ? { initial_comment: caption } : {}) };
  await call("files.completeUploadExternal", { json });
  return null;
}

type Bot = { id: string; name: string };

function eventsOf(payload: JsonObject, bot: Bot): Received {
  if (textIn(payload, "type") === "block_actions") return { events: clicksOf(payload), answer: { body: "" } };
  const event = messageOf(objectIn(payload, "event"), bot);
  return { events: event ? [event] : [] };
}

const kinds = ["message", "app_mention"];
const subtypes = ["", "file_share", "thread_broadcast"];

function messageOf(event: JsonObject, bot: Bot): InboundEvent | null {
  const user = textIn(event, "user");
  if (!kinds.includes(textIn(event, "type")) || !subtypes.includes(textIn(event, "subtype"))) return null;
  if (!user || user === bot.id || textIn(event, "bot_id")) return null;
  const [chat, ts] = [textIn(event, "channel"), textIn(event, "ts")];
  if (!chat || !ts) return null;
  const isPrivate = textIn(event, "channel_type") === "im" || chat.startsWith("D");
  const thread = textIn(event, "thread_ts");
  const text = textIn(event, "text");
  return {
    kind: "message",
    // A mention comes twice, as a message and as a mention, with two ids of events.
    key: `message:${chat}:${ts}`,
    place: isPrivate ? "private" : "thread",
    chat,
    // An answer in a channel stands in a thread, so that it does not disturb the others.
    thread: isPrivate ? thread : thread || ts,
    messageRef: ts,
    sender: { id: user, name: "" },
    text: plain(text, bot),
    // A message in a thread replies to the message that began it.
    isMention: isPrivate || text.includes(`<@${bot.id}>`) || textIn(event, "parent_user_id") === bot.id,
    repliesTo: thread === ts ? "" : thread,
    files: listIn(event, "files").flatMap(fileOf),
  };
}

/** Writes Slack's own signs as plain text: mentions, links and the three escapes. */
const plain = (text: string, bot: Bot): string =>
  text
    .replaceAll(`<@${bot.id}>`, "")
    .replace(/<(?:mailto:)?([^|<>@#!][^|<>]*)(?:\|([^<>]*))?>/g, (_, address: string, label?: string) =>
      label && label !== address ? `${label} (${address})` : address,
    )
    .replace(/<[@#!]([^|<>]*)(?:\|([^<>]*))?>/g, (_, id: string, label?: string) => `@${label ?? id}`)
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();

function fileOf(file: Json): ReceivedFile[] {
  const ref = textIn(file, "url_private_download") || textIn(file, "url_private");
  if (!ref) return [];
  const mediaType = textIn(file, "mimetype") || null;
  return [{ ref, name: textIn(file, "name") || "file", mediaType, bytes: numberIn(file, "size"), kind: kindOfFile(mediaType) }];
}

function clicksOf(payload: JsonObject): InboundEvent[] {
  const user = objectIn(payload, "user");
  const message = objectIn(payload, "message");
  const container = objectIn(payload, "container");
  const chat = textIn(objectIn(payload, "channel"), "id") || textIn(container, "channel_id");
  const thread = textIn(message, "thread_ts") || textIn(container, "thread_ts");
  const isPrivate = chat.startsWith("D");
  return listIn(payload, "actions").flatMap((action, index): InboundEvent[] => {
    const value = textIn(action, "value");
    if (!value || !chat || !textIn(user, "id")) return [];
    return [
      {
        kind: "click",
        key: `click:${textIn(payload, "trigger_id") || textIn(action, "action_ts")}:${index}`,
        place: isPrivate ? "private" : "thread",
        chat,
        thread,
        messageRef: textIn(container, "message_ts") || textIn(message, "ts") || null,
        sender: { id: textIn(user, "id"), name: "" },
        text: value,
        isMention: true,
        files: [],
      },
    ];
  });
}

const names: Readonly<Record<string, string>> = { "✅": "white_check_mark", "👍": "thumbsup", "👌": "ok_hand", "👀": "eyes", "🎉": "tada" };
const emojiName = (emoji: string): string => names[emoji] ?? emoji.replaceAll(":", "");
