import { createCipheriv, createHash, createHmac } from "node:crypto";
import { exportJWK, exportPKCS8, generateKeyPair, SignJWT } from "jose";
import { onTestFinished } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { MessengerDraft } from "@/contracts/messengers/messengers";
import { receiveWebhook } from "@/server/families/messengers/receive/receive-webhook";
import { startImapServer } from "../platforms/imap-server";
import { startLarkSocket } from "../platforms/lark-socket";
import { startMailReceiver } from "../platforms/mail-receiver";
import { type PlatformRoutes, startPlatformServer } from "../platforms/platform-server";
import { startSocket } from "../platforms/platform-socket";

type Draft = Pick<MessengerDraft, "platform" | "transport" | "settings" | "secrets">;

/** A person who writes to an account in a private chat of a platform, and what the account has sent. */
export type Person = {
  draft: Draft;
  /** Writes a text; the id of the message is new each time. */
  say: (messengerId: string, text: string) => Promise<void>;
  /** Everything that was sent, as the platform received it. */
  sent: () => string;
};

type Signed = { body: string; headers?: Record<string, string>; query?: Record<string, string> };
const now = () => String(Math.floor(Date.now() / 1_000));
let last = 100;
const number = () => {
  last += 1;
  return String(last);
};

async function call(messengerId: string, { body, headers = {}, query = {} }: Signed): Promise<void> {
  const address = `http://handrail.test/messengers/${messengerId}/webhook?${new URLSearchParams(query)}`;
  const { status } = await receiveWebhook(new Request(address, { method: "POST", body, headers }), messengerId);
  if (status !== 200) throw new Error(`the callback address answered ${status}`);
}

type Web = { routes: PlatformRoutes; draft: (url: string) => Draft; sign: (text: string, url: string) => Promise<Signed> | Signed };

async function webhookPerson({ routes, draft, sign }: Web): Promise<Person> {
  const { url, calls } = await startPlatformServer(routes);
  return {
    draft: draft(url),
    say: async (id, text) => call(id, await sign(text, url)),
    sent: () => calls.map(({ path, body }) => `${path} ${JSON.stringify(body)}`).join("\n"),
  };
}

const whatsapp = () =>
  webhookPerson({
    routes: {
      "POST /55/messages": () => ({ messages: [{ id: `wamid.${number()}` }] }),
      "POST /55/media": () => ({ id: "media1" }),
      "GET /55": () => ({ id: "55" }),
    },
    draft: (apiUrl) => ({
      ...{ platform: "whatsapp", transport: "webhook", settings: { apiUrl, phoneNumberId: "55" } },
      secrets: { token: "wa-token", appSecret: "wa-secret", verifyToken: "verify me" },
    }),
    sign: (text) => {
      const messages = [{ id: `wamid.in.${number()}`, from: "491", type: "text", text: { body: text } }];
      const value = { metadata: { phone_number_id: "55" }, contacts: [{ wa_id: "491", profile: { name: "Ada" } }], messages };
      const body = JSON.stringify({ entry: [{ changes: [{ value }] }] });
      return { body, headers: { "x-hub-signature-256": `sha256=${createHmac("sha256", "wa-secret").update(body).digest("hex")}` } };
    },
  });

const line = () =>
  webhookPerson({
    routes: {
      "POST /v2/bot/message/push": () => ({ sentMessages: [{ id: number() }] }),
      "GET /v2/bot/*": () => ({ userId: "UB", displayName: "Ada" }),
    },
    draft: (apiUrl) => ({
      ...{ platform: "line", transport: "webhook", settings: { apiUrl }, secrets: { token: "line-token", channelSecret: "line-secret" } },
    }),
    sign: (text) => {
      const message = { id: number(), type: "text", text };
      const body = JSON.stringify({ events: [{ type: "message", webhookEventId: number(), source: { userId: "U1" }, message }] });
      return { body, headers: { "x-line-signature": createHmac("sha256", "line-secret").update(body).digest("base64") } };
    },
  });

const larkRoutes: PlatformRoutes = {
  "POST /open-apis/auth/v3/tenant_access_token/internal": () => ({ code: 0, tenant_access_token: "t-1", expire: 7_200 }),
  "GET /open-apis/bot/v3/info": () => ({ code: 0, bot: { open_id: "ou_bot", app_name: "Helper" } }),
  "POST /open-apis/im/v1/images": () => ({ code: 0, data: { image_key: "img_1" } }),
  "POST /open-apis/im/v1/files": () => ({ code: 0, data: { file_key: "file_1" } }),
  "POST /open-apis/im/v1/messages*": () => ({ code: 0, data: { message_id: `om_${number()}` } }),
  "PATCH /open-apis/im/v1/messages/*": () => ({ code: 0 }),
};
const larkEvent = (text: string) => ({
  header: { event_type: "im.message.receive_v1", token: "lark-verify" },
  event: {
    sender: { sender_type: "user", sender_id: { open_id: "ou_1" } },
    message: {
      ...{ message_id: `om_in_${number()}`, chat_id: "oc_1", chat_type: "p2p" },
      ...{ message_type: "text", content: JSON.stringify({ text }) },
    },
  },
});

const lark = () =>
  webhookPerson({
    routes: larkRoutes,
    draft: (apiUrl) => ({
      ...{ platform: "lark", transport: "webhook", settings: { apiUrl, appId: "cli_1" } },
      secrets: { appSecret: "lark-secret", encryptKey: "lark-encrypt", verificationToken: "lark-verify" },
    }),
    sign: (text) => {
      const cipher = createCipheriv("aes-256-cbc", createHash("sha256").update("lark-encrypt").digest(), Buffer.alloc(16, 7));
      const plain = JSON.stringify(larkEvent(text));
      const body = JSON.stringify({
        encrypt: Buffer.concat([Buffer.alloc(16, 7), cipher.update(plain), cipher.final()]).toString("base64"),
      });
      const at = now();
      const signature = createHash("sha256").update(`${at}nlark-encrypt${body}`).digest("hex");
      return { body, headers: { "x-lark-request-timestamp": at, "x-lark-request-nonce": "n", "x-lark-signature": signature } };
    },
  });

async function larkStream(): Promise<Person> {
  const socket = await startLarkSocket();
  const { url, calls } = await startPlatformServer({
    ...larkRoutes,
    "POST /callback/ws/endpoint": ({ body }) =>
      body.AppSecret === "lark-secret"
        ? { code: 0, data: { URL: socket.url, ClientConfig: { PingInterval: 120 } } }
        : { code: 1, msg: "no" },
  });
  return {
    draft: {
      ...{ platform: "lark", transport: "connection" },
      ...{ settings: { apiUrl: url, appId: "cli_1" }, secrets: { appSecret: "lark-secret" } },
    },
    say: async (_id, text) => socket.push(`m${number()}`, larkEvent(text), { parts: text.length > 20 ? 2 : 1 }),
    sent: () => calls.map(({ path, body }) => `${path} ${JSON.stringify(body)}`).join("\n"),
  };
}

const dingtalkMessage = (text: string) => ({
  ...{ msgId: `m${number()}`, conversationId: "c1", conversationType: "1", senderStaffId: "s1", senderNick: "Ada" },
  ...{ msgtype: "text", text: { content: text } },
});
const dingtalkRoutes: PlatformRoutes = {
  "POST /v1.0/oauth2/accessToken": () => ({ accessToken: "d-1", expireIn: 7_200 }),
  "POST /v1.0/robot/oToMessages/batchSend": () => ({ processQueryKey: `p${number()}` }),
  "POST /media/upload": () => ({ errcode: 0, media_id: "@media1" }),
};

const dingtalk = () =>
  webhookPerson({
    routes: dingtalkRoutes,
    draft: (apiUrl) => ({
      ...{ platform: "dingtalk", transport: "webhook", settings: { apiUrl, clientId: "ding1" }, secrets: { clientSecret: "ding-secret" } },
    }),
    sign: (text) => {
      const timestamp = String(Date.now());
      const sign = createHmac("sha256", "ding-secret").update(`${timestamp}\nding-secret`).digest("base64");
      return { body: JSON.stringify(dingtalkMessage(text)), headers: { timestamp, sign } };
    },
  });

const wecom = () => {
  const aesKey = Buffer.alloc(32, 3).toString("base64").slice(0, 43);
  return webhookPerson({
    routes: {
      "GET /cgi-bin/gettoken": () => ({ errcode: 0, access_token: "w-1", expires_in: 7_200 }),
      "GET /cgi-bin/*": () => ({ errcode: 0, name: "Ada" }),
      "POST /cgi-bin/media/upload": () => ({ errcode: 0, media_id: "media1" }),
      "POST /cgi-bin/message/send": () => ({ errcode: 0, msgid: `w${number()}` }),
    },
    draft: (apiUrl) => ({
      ...{ platform: "wecom", transport: "webhook", settings: { apiUrl, corpId: "corp", agentId: "1000002" } },
      secrets: { secret: "we-secret", token: "we-token", aesKey },
    }),
    sign: (text) => {
      const words = `<Content><![CDATA[${text}]]></Content><MsgId>${number()}</MsgId><AgentID>1000002</AgentID>`;
      const xml = Buffer.from(`<xml><FromUserName><![CDATA[ada]]></FromUserName><MsgType>text</MsgType>${words}</xml>`);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(xml.byteLength);
      const plain = Buffer.concat([Buffer.alloc(16, 1), length, xml, Buffer.from("corp")]);
      const pad = 32 - (plain.byteLength % 32);
      const key = Buffer.from(`${aesKey}=`, "base64");
      const cipher = createCipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
      const sealed = Buffer.concat([cipher.update(Buffer.concat([plain, Buffer.alloc(pad, pad)])), cipher.final()]).toString("base64");
      const timestamp = now();
      const signature = createHash("sha1").update(["we-token", timestamp, "n", sealed].sort().join("")).digest("hex");
      const body = `<xml><ToUserName>corp</ToUserName><Encrypt><![CDATA[${sealed}]]></Encrypt></xml>`;
      return { body, query: { timestamp, nonce: "n", msg_signature: signature } };
    },
  });
};

async function teams(): Promise<Person> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" };
  return webhookPerson({
    routes: {
      "GET /keys": () => ({ keys: [jwk] }),
      "POST /t1/oauth2/v2.0/token": () => ({ access_token: "ms-1", expires_in: 3_600 }),
      "POST /v3/conversations/*": () => ({ id: `act${number()}` }),
      "PUT /v3/conversations/*": () => ({ id: "act" }),
    },
    draft: (url) => ({
      ...{ platform: "teams", transport: "webhook", secrets: { clientSecret: "ms-secret" } },
      settings: { appId: "app1", tenantId: "t1", loginUrl: url, keysUrl: `${url}/keys` },
    }),
    sign: async (text, url) => {
      const token = new SignJWT({ serviceurl: url })
        .setProtectedHeader({ alg: "RS256", kid: "k1" })
        .setIssuer("https://api.botframework.com");
      const bearer = await token.setAudience("app1").setExpirationTime("5m").sign(privateKey);
      const conversation = { id: "a:1", conversationType: "personal" };
      const people = { from: { id: "29:x", aadObjectId: "aad1", name: "Ada" }, recipient: { id: "28:app1" } };
      const body = JSON.stringify({ type: "message", id: number(), serviceUrl: url, text, ...people, conversation });
      return { body, headers: { authorization: `Bearer ${bearer}` } };
    },
  });
}

async function googleChat(): Promise<Person> {
  const google = await generateKeyPair("RS256");
  const service = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(google.publicKey)), kid: "g1", alg: "RS256" };
  const serviceAccount = JSON.stringify({ client_email: "bot@p.iam", private_key: await exportPKCS8(service.privateKey) });
  return webhookPerson({
    routes: {
      "GET /keys": () => ({ keys: [jwk] }),
      "POST /token": () => ({ access_token: "ya29", expires_in: 3_600 }),
      "POST /v1/spaces/S1/messages": () => ({ name: `spaces/S1/messages/M${number()}` }),
      "PATCH /v1/spaces/S1/messages/*": () => ({}),
    },
    draft: (url) => ({
      ...{ platform: "google_chat", transport: "webhook", secrets: { serviceAccount } },
      settings: { apiUrl: url, projectNumber: "123", tokenUrl: `${url}/token`, keysUrl: `${url}/keys` },
    }),
    sign: async (text) => {
      const token = new SignJWT({}).setProtectedHeader({ alg: "RS256", kid: "g1" }).setIssuer("chat@system.gserviceaccount.com");
      const bearer = await token.setAudience("123").setExpirationTime("5m").sign(google.privateKey);
      const user = { name: "users/1", displayName: "Ada", email: "ada@example.com", type: "HUMAN" };
      const message = { name: `spaces/S1/messages/in${number()}`, text };
      const body = JSON.stringify({ type: "MESSAGE", space: { name: "spaces/S1", type: "DM" }, user, message });
      return { body, headers: { authorization: `Bearer ${bearer}` } };
    },
  });
}

async function discord(): Promise<Person> {
  let sequence = 1;
  const socket = await startSocket((send, frame) => {
    if (!frame) send({ op: 10, d: { heartbeat_interval: 41_250 } });
    else if (frame.op === 2) send({ op: 0, s: 1, t: "READY", d: { session_id: "s1", resume_gateway_url: socket.url } });
  });
  const { url, calls } = await startPlatformServer({
    "GET /users/@me": () => ({ id: "900", username: "helper" }),
    "GET /gateway/bot": () => ({ url: socket.url }),
    "POST /channels/1/messages": () => ({ id: number() }),
    "PATCH /channels/1/messages/*": () => ({ id: "1" }),
  });
  return {
    draft: { platform: "discord", transport: "connection", settings: { apiUrl: url }, secrets: { token: "discord-token" } },
    say: async (_id, text) => {
      sequence += 1;
      const message = { id: number(), channel_id: "1", content: text, author: { id: "7", username: "ada" } };
      socket.push({ op: 0, s: sequence, t: "MESSAGE_CREATE", d: message });
    },
    sent: () => calls.map(({ path, body }) => `${path} ${JSON.stringify(body)}`).join("\n"),
  };
}

async function dingtalkStream(): Promise<Person> {
  const acknowledged: string[] = [];
  const socket = await startSocket((_send, frame) => {
    if (frame) acknowledged.push(String((frame.headers as JsonObject).messageId));
  });
  const { url, calls } = await startPlatformServer({
    ...dingtalkRoutes,
    "POST /v1.0/gateway/connections/open": () => ({ endpoint: socket.url, ticket: "ticket-1" }),
  });
  return {
    draft: {
      platform: "dingtalk",
      transport: "connection",
      settings: { apiUrl: url, clientId: "ding1" },
      secrets: { clientSecret: "ding-secret" },
    },
    say: async (_id, text) => {
      const headers = { topic: "/v1.0/im/bot/messages/get", messageId: `f${number()}`, contentType: "application/json" };
      socket.push({ specVersion: "1.0", type: "CALLBACK", headers, data: JSON.stringify(dingtalkMessage(text)) });
    },
    sent: () => calls.map(({ path, body }) => `${path} ${JSON.stringify(body)}`).join("\n"),
  };
}

async function email(): Promise<Person> {
  const [imap, smtp] = await Promise.all([startImapServer(), startMailReceiver()]);
  onTestFinished(async () => {
    await imap.close();
    await smtp.close();
  });
  const settings = { address: "bot@handrail.test", imapHost: `127.0.0.1:${imap.port}`, smtpHost: smtp.address };
  return {
    draft: { platform: "email", transport: "connection", settings, secrets: { password: "right" } },
    say: async (_id, text) => {
      const thread = `Message-ID: <m${number()}@example.com>\nReferences: <root@example.com>`;
      const passed = "Authentication-Results: mx.handrail.test; dmarc=pass header.from=example.com";
      imap.deliver(`${passed}\nFrom: Ada <ada@example.com>\nTo: bot@handrail.test\nSubject: Work\n${thread}\n\n${text}\n`);
    },
    sent: () => smtp.mails.map(({ text, attachments }) => `${text} ${attachments.map(({ filename }) => filename).join(" ")}`).join("\n"),
  };
}

/** People on the platforms whose decisions are typed here, by the way in which messages come. */
export const people: Record<string, () => Promise<Person>> = {
  ...{
    "Discord's gateway": discord,
    WhatsApp: whatsapp,
    Lark: lark,
    "Lark's long connection": larkStream,
    DingTalk: dingtalk,
    "DingTalk's stream": dingtalkStream,
  },
  ...{ WeCom: wecom, LINE: line, "Microsoft Teams": teams, "Google Chat": googleChat, "e-mail": email },
};
