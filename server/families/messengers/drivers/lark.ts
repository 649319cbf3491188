import { createDecipheriv, createHash } from "node:crypto";
import type { Json, JsonObject } from "@/contracts/common";
import type { ReceivedFile } from "@/db/schema";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, type PlatformRequest, readJson } from "../platform-http";
import { tokenKeeper } from "./access-token";
import type { Account, Driver, InboundEvent, SentPart } from "./driver";
import { coordinatesOf, kindWords, unreadableWords } from "./kind-words";
import { holdLarkStream } from "./lark-stream";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { isEqualSecret, isRecent } from "./signatures";

/** The open platform of Lark and Feishu: encrypted and signed events or a long connection, messages as cards. */
export function lark(account: Account, http: PlatformHttp): Driver {
  const { appSecret = "", encryptKey = "", verificationToken = "" } = account.secrets;
  const { appId = "", apiUrl = "https://open.larksuite.com" } = account.settings;
  const domain = apiUrl.replace(/\/+$/, "");
  const api = `${domain}/open-apis`;
  const token = tokenKeeper(async () => {
    const answer = checked(
      await http.call(`${api}/auth/v3/tenant_access_token/internal`, { json: { app_id: appId, app_secret: appSecret } }),
    );
    return { token: textIn(answer, "tenant_access_token"), seconds: numberIn(answer, "expire") ?? 600 };
  });
  const authorized = async () => ({ authorization: `Bearer ${await token()}` });
  const call = async (path: string, request: PlatformRequest = {}) =>
    checked(await http.call(`${api}${path}`, { ...request, headers: await authorized() }));
  return {
    async identify() {
      const bot = objectIn(await call("/bot/v3/info"), "bot");
      return { id: textIn(bot, "open_id"), name: textIn(bot, "app_name") };
    },
    async receive({ headers, body }) {
      const sent = readJson(body) ?? {};
      const event = textIn(sent, "encrypt") ? decrypted(encryptKey, textIn(sent, "encrypt")) : null;
      if (!event || !isSigned(encryptKey, headers, body, event)) return null;
      if (!isEqualSecret(textIn(event, "token") || textIn(objectIn(event, "header"), "token"), verificationToken)) return null;
      if (textIn(event, "type") === "url_verification")
        return { events: [], answer: { body: JSON.stringify({ challenge: textIn(event, "challenge") }) } };
      return { events: eventsOf(event, account.bot?.id ?? "") };
    },
    connect: (sink) => holdLarkStream({ http, domain, appId, appSecret }, sink, (payload) => eventsOf(payload, account.bot?.id ?? "")),
    async post({ chat, replyTo }, part, key) {
      const message = part.kind === "file" ? await upload(call, part) : cardOf(part);
      const json = { ...message, uuid: key.replaceAll("-", "").slice(0, 50) };
      // In a group the answer stands below the message that asked.
      const answer = replyTo?.message
        ? await call(`/im/v1/messages/${encodeURIComponent(replyTo.message)}/reply`, { json })
        : await call("/im/v1/messages?receive_id_type=chat_id", { json: { receive_id: chat, ...json } });
      return textIn(objectIn(answer, "data"), "message_id");
    },
    async edit(_target, messageRef, text) {
      await call(`/im/v1/messages/${encodeURIComponent(messageRef)}`, {
        method: "PATCH",
        json: { content: cardOf({ kind: "text", text }).content },
      });
    },
    async react(_target, messageRef, emoji) {
      await call(`/im/v1/messages/${encodeURIComponent(messageRef)}/reactions`, {
        json: { reaction_type: { emoji_type: emojiTypes[emoji] ?? emoji } },
      });
    },
    async file(ref, maxBytes) {
      const [message = "", key = "", type = "file"] = ref.split(" ");
      const path = `/im/v1/messages/${encodeURIComponent(message)}/resources/${encodeURIComponent(key)}?type=${type}`;
      const { status, bytes } = await http.request(`${api}${path}`, { headers: await authorized(), maxBytes, timeoutMs: 60_000 });
      if (status !== 200) throw new PlatformError("refused", `Lark answered ${status} for the file.`);
      return bytes;
    },
    async sender(id) {
      const answer = await call(`/contact/v3/users/${encodeURIComponent(id)}?user_id_type=open_id`);
      const user = objectIn(objectIn(answer, "data"), "user");
      return { name: textIn(user, "name") || id, email: textIn(user, "email") || null };
    },
  };
}

const emojiTypes: Readonly<Record<string, string>> = { "✅": "DONE", "👍": "THUMBSUP", "👌": "OK" };

/** Lark says in the body what is wrong, with status 200. @throws PlatformError */
function checked(answer: JsonObject): JsonObject {
  const code = numberIn(answer, "code");
  if (code === 0) return answer;
  if (code === 99991400) throw new PlatformError("rate", "Lark asks for fewer requests.", { retryAfterMs: 2_000 });
  throw new PlatformError("refused", `Lark: ${textIn(answer, "msg") || `code ${code}`}`);
}

function decrypted(encryptKey: string, encrypted: string): JsonObject | null {
  try {
    const bytes = Buffer.from(encrypted, "base64");
    const decipher = createDecipheriv("aes-256-cbc", createHash("sha256").update(encryptKey).digest(), bytes.subarray(0, 16));
    return readJson(Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]));
  } catch {
    return null;
  }
}

/** The first call, which confirms the address, has no signature: its token is checked instead. */
function isSigned(encryptKey: string, headers: Headers, body: Uint8Array, event: JsonObject): boolean {
  if (textIn(event, "type") === "url_verification") return true;
  const timestamp = headers.get("x-lark-request-timestamp") ?? "";
  const nonce = headers.get("x-lark-request-nonce") ?? "";
  const expected = createHash("sha256")
    .update(timestamp + nonce + encryptKey)
    .update(body)
    .digest("hex");
  return isRecent(Number(timestamp)) && isEqualSecret(headers.get("x-lark-signature"), expected);
}

const buttonTypes = { primary: "primary", danger: "danger" } as const;

function cardOf(part: Exclude<SentPart, { kind: "file" }>): { msg_type: string; content: string } {
  const buttons = part.kind === "card" ? part.buttons : [];
  const actions = buttons.map(({ label, value, style }) => ({
    tag: "button",
    text: { tag: "plain_text", content: label },
    type: style ? buttonTypes[style] : "default",
    value: { handrail: value },
  }));
  const elements = [{ tag: "markdown", content: part.text }, ...(actions.length > 0 ? [{ tag: "action", actions }] : [])];
  return { msg_type: "interactive", content: JSON.stringify({ config: { update_multi: true }, elements }) };
}

type Call = (path: string, request?: PlatformRequest) => Promise<JsonObject>;

async function upload(
  call: Call,
  { name, mediaType, bytes, as }: Extract<SentPart, { kind: "file" }>,
): Promise<{ msg_type: string; content: string }> {
  const form = new FormData();
  const blob = new Blob([Buffer.from(bytes)], { type: mediaType });
  if (as === "photo") {
    form.set("image_type", "message");
    form.set("image", blob, name);
    const key = textIn(objectIn(await call("/im/v1/images", { form, timeoutMs: 120_000 }), "data"), "image_key");
    return { msg_type: "image", content: JSON.stringify({ image_key: key }) };
  }
  form.set("file_type", "stream");
  form.set("file_name", name);
  form.set("file", blob, name);
  const key = textIn(objectIn(await call("/im/v1/files", { form, timeoutMs: 120_000 }), "data"), "file_key");
  return { msg_type: "file", content: JSON.stringify({ file_key: key }) };
}

function eventsOf(payload: JsonObject, bot: string): InboundEvent[] {
  const header = objectIn(payload, "header");
  const event = objectIn(payload, "event");
  const type = textIn(header, "event_type");
  if (type === "card.action.trigger") return clickOf(event, textIn(header, "event_id"));
  if (type !== "im.message.receive_v1") return [];
  const message = objectIn(event, "message");
  const user = textIn(objectIn(objectIn(event, "sender"), "sender_id"), "open_id");
  const [id, chat] = [textIn(message, "message_id"), textIn(message, "chat_id")];
  if (!id || !chat || !user || textIn(objectIn(event, "sender"), "sender_type") !== "user") return [];
  const content = readJson(Buffer.from(textIn(message, "content"))) ?? {};
  const mentions = listIn(message, "mentions");
  const post = textIn(message, "message_type") === "post" ? readPost(content) : { text: textIn(content, "text"), pictures: [] };
  const isPrivate = textIn(message, "chat_type") === "p2p";
  const text = mentions.reduce<string>(
    (words, mention) => words.replaceAll(textIn(mention, "key"), isBot(mention, bot) ? "" : `@${textIn(mention, "name")}`),
    post.text,
  );
  const pictures = post.pictures.flatMap((key) => filesOf(id, "image", { image_key: key }));
  const kind = textIn(message, "message_type");
  const files = [...(fileTypes.includes(kind) ? filesOf(id, kind, content) : []), ...pictures];
  const words = text.trim() || (files.length === 0 ? wordsOfKind(kind, content) : "");
  if (words === "" && files.length === 0) return [];
  return [
    {
      kind: "message",
      key: `message:${id}`,
      place: isPrivate ? "private" : "group",
      chat,
      ...(isPrivate ? {} : { replyTo: { message: id } }),
      messageRef: id,
      sender: { id: user, name: "" },
      text: words,
      isMention: isPrivate || mentions.some((mention) => isBot(mention, bot)),
      repliesTo: textIn(message, "parent_id"),
      files,
    },
  ];
}

/** Types of messages whose files an app may download: no stickers and no folders. */
const fileTypes = ["image", "file", "audio", "media"];

/** Plain words for a message without a text and a file; empty for texts and messages of the service. */
function wordsOfKind(type: string, content: JsonObject): string {
  switch (type) {
    case "sticker":
    case "folder":
      return kindWords(type, textIn(content, "file_name"));
    case "location":
      return kindWords("location", textIn(content, "name"), ...coordinatesOf(content));
    case "share_user":
      return kindWords("contact", textIn(content, "user_id"));
    case "share_chat":
      return kindWords("group", textIn(content, "chat_name"), textIn(content, "chat_id"));
    case "share_calendar_event":
    case "calendar":
    case "general_calendar":
      return kindWords("event", textIn(content, "summary"), ...[textIn(content, "start_time"), textIn(content, "end_time")].map(momentOf));
    case "video_chat":
      return kindWords("video meeting", textIn(content, "topic"), momentOf(textIn(content, "start_time")));
    case "todo":
      return kindWords("task", readPost(objectIn(content, "summary")).text, momentOf(textIn(content, "due_time")));
    case "vote":
      return kindWords("poll", textIn(content, "topic"), ...listIn(content, "options").map(String));
    case "hongbao":
      return kindWords("red packet");
    case "merge_forward":
      return kindWords("forwarded messages");
    case "interactive":
      return kindWords("card", textIn(content, "title"));
    case "":
    case "text":
    case "post":
    case "system":
      return "";
    default:
      return unreadableWords("Lark");
  }
}

/** Lark's moments are milliseconds as text. */
const momentOf = (milliseconds: string): string => {
  const moment = new Date(Number(milliseconds || Number.NaN));
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
};

/** Reads a text with formatting: its lines, with addresses behind the words of links, and the keys of its pictures. */
function readPost(content: JsonObject): { text: string; pictures: string[] } {
  const lines = listIn(content, "content").map((line) => (Array.isArray(line) ? line : []));
  const words = (part: Json): string => {
    const address = textIn(part, "href");
    return `${textIn(part, "text")}${textIn(part, "tag") === "at" ? textIn(part, "user_id") : ""}${address ? ` (${address})` : ""}`;
  };
  const text = [textIn(content, "title"), ...lines.map((line) => line.map(words).join(""))];
  return { text: text.filter(Boolean).join("\n"), pictures: lines.flat().flatMap((part) => textIn(part, "image_key") || []) };
}

const isBot = (mention: JsonObject[string], bot: string): boolean => textIn(objectIn(mention, "id"), "open_id") === bot;

function filesOf(message: string, type: string, content: JsonObject): ReceivedFile[] {
  const key = textIn(content, "image_key") || textIn(content, "file_key");
  if (!key) return [];
  const kind = type === "image" ? "image" : type === "audio" ? "audio" : type === "media" ? "video" : "file";
  return [
    {
      ref: `${message} ${key} ${type === "image" ? "image" : "file"}`,
      name: textIn(content, "file_name") || type,
      mediaType: null,
      bytes: null,
      kind,
    },
  ];
}

function clickOf(event: JsonObject, eventId: string): InboundEvent[] {
  const context = objectIn(event, "context");
  const value = textIn(objectIn(objectIn(event, "action"), "value"), "handrail");
  const [chat, user] = [textIn(context, "open_chat_id"), textIn(objectIn(event, "operator"), "open_id")];
  if (!chat || !user || !value) return [];
  const messageRef = textIn(context, "open_message_id") || null;
  // The kind of the chat is known from its first message.
  return [
    {
      kind: "click",
      key: `click:${eventId}`,
      place: "private",
      chat,
      messageRef,
      sender: { id: user, name: "" },
      text: value,
      isMention: true,
      files: [],
    },
  ];
}
