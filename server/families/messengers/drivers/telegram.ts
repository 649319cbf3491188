import { setTimeout as pause } from "node:timers/promises";
import type { Json, JsonObject } from "@/contracts/common";
import type { CardButton, ReceivedFile } from "@/db/schema";
import { failureOf, PlatformError } from "../platform-error";
import { type PlatformHttp, type PlatformRequest, readJson } from "../platform-http";
import { renderText } from "../text/text-styles";
import type { Account, Driver, InboundEvent, Notice, SentPart, Target } from "./driver";
import { identifyOnce } from "./identify-once";
import { coordinatesOf, kindWords } from "./kind-words";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { isEqualSecret } from "./signatures";

const usualApi = "https://api.telegram.org";
const pollSeconds = 25;
const updateKinds = ["message", "callback_query"];
/** Characters of a caption. */
const maxCaptionChars = 1_024;

/** The Bot API: webhook with a secret token, or polling. */
export function telegram(account: Account, http: PlatformHttp): Driver {
  const { token = "", callback = "" } = account.secrets;
  const api = (account.settings.apiUrl ?? usualApi).replace(/\/+$/, "");
  const call = (method: string, request: PlatformRequest = {}) => callApi(http, `${api}/bot${token}/${method}`, request);
  const me = async () => {
    const { result } = await call("getMe");
    return { id: textIn(result, "id"), name: textIn(result, "username") };
  };
  const bot = identifyOnce(account, me);

  return {
    identify: me,
    async receive({ headers, body }) {
      if (!isEqualSecret(headers.get("x-telegram-bot-api-secret-token"), callback)) return null;
      const update = readJson(body) ?? {};
      const event = eventOf(update, await bot());
      return { events: event ? [event] : [], notices: noticesOf(update) };
    },
    async register(address, signal) {
      await call("setWebhook", { json: { url: address, secret_token: callback, allowed_updates: updateKinds }, signal });
    },
    async connect({ cursor, signal, opened, store }) {
      await call("deleteWebhook", { json: {}, signal });
      const us = await bot();
      let offset = Number(cursor ?? 0) || 0;
      opened();
      while (!signal.aborted) {
        const json = { offset, timeout: pollSeconds, allowed_updates: updateKinds };
        const { result } = await call("getUpdates", { json, signal, timeoutMs: (pollSeconds + 10) * 1_000 }).catch(
          async (error: unknown) => {
            if (failureOf(error) !== "rate") throw error;
            await pause((error as PlatformError).retryAfterMs, undefined, { signal }).catch(() => {});
            return { result: [] as Json };
          },
        );
        const updates = Array.isArray(result) ? result : [];
        const last = Math.max(offset - 1, ...updates.map((update) => numberIn(update, "update_id") ?? 0));
        if (updates.length === 0) continue;
        offset = last + 1;
        await store(
          updates.flatMap((update) => eventOf(objectIn(update), us) ?? []),
          String(offset),
          updates.flatMap((update) => noticesOf(objectIn(update))),
        );
      }
    },
    post: (target, part) => post(call, target, part),
    async edit({ chat }, messageRef, text) {
      const message = { chat_id: chat, message_id: Number(messageRef) };
      await formatted(text, (words) => call("editMessageText", { json: { ...message, ...words } })).catch((error: unknown) => {
        // The same text again is no failure.
        if (!(error instanceof Error && /message is not modified/i.test(error.message))) throw error;
      });
    },
    async react({ chat }, messageRef, emoji, isBig) {
      const json = { chat_id: chat, message_id: Number(messageRef), reaction: [{ type: "emoji", emoji }], is_big: isBig };
      await call("setMessageReaction", { json });
    },
    async typing({ chat, thread }) {
      await call("sendChatAction", { json: { chat_id: chat, ...threadOf(thread), action: "typing" } });
    },
    async answerClick(key, text) {
      const id = key.slice("click:".length);
      await call("answerCallbackQuery", { json: { callback_query_id: id, ...(text ? { text: text.slice(0, 200) } : {}) } });
    },
    async file(ref, maxBytes) {
      const { result } = await call("getFile", { json: { file_id: ref } });
      const path = textIn(result, "file_path");
      if (!/^[\w./-]+$/.test(path) || path.includes("..")) throw new PlatformError("refused", "Telegram names no file.");
      const { status, bytes } = await http.request(`${api}/file/bot${token}/${path}`, { maxBytes, timeoutMs: 60_000 });
      if (status !== 200) throw new PlatformError("refused", `Telegram answered ${status} for the file.`);
      return bytes;
    },
  };
}

/** Calls a method. Telegram says in the body what is wrong, with status 200 too. @throws PlatformError */
async function callApi(http: PlatformHttp, url: string, request: PlatformRequest): Promise<{ result: Json }> {
  const { status, bytes } = await http.request(url, { method: "POST", ...request });
  const body = readJson(bytes);
  if (!body) throw new PlatformError("unknown", `Telegram answered ${status} with no JSON.`);
  if (body.ok === true) return { result: body.result ?? null };
  const description = textIn(body, "description") || `status ${status}`;
  const seconds = numberIn(objectIn(body, "parameters"), "retry_after");
  if (numberIn(body, "error_code") === 429 && seconds !== null)
    throw new PlatformError("rate", `Telegram: ${description}`, { retryAfterMs: seconds * 1_000 });
  const movedTo = textIn(objectIn(body, "parameters"), "migrate_to_chat_id") || null;
  throw new PlatformError("refused", `Telegram: ${description}`, { movedTo });
}

type Call = (method: string, request?: PlatformRequest) => Promise<{ result: Json }>;

async function post(call: Call, { chat, thread }: Target, part: SentPart): Promise<string> {
  const where = { chat_id: chat, ...threadOf(thread) };
  if (part.kind === "file") return postFile(call, where, part);
  const buttons = part.kind === "card" && part.buttons.length > 0 ? { reply_markup: { inline_keyboard: keyboard(part.buttons) } } : {};
  const { result } = await formatted(part.text, (words) => call("sendMessage", { json: { ...where, ...words, ...buttons } }));
  return textIn(result, "message_id");
}

const threadOf = (thread: string | null) => (thread ? { message_thread_id: Number(thread) } : {});

const keyboard = (buttons: readonly CardButton[]) =>
  buttons.map(({ label, value }) => [{ text: label, callback_data: value.slice(0, 64) }]);

/** Sends formatted text, and the plain text where Telegram cannot read the format: nothing was sent then. */
async function formatted(text: string, send: (words: JsonObject) => Promise<{ result: Json }>): Promise<{ result: Json }> {
  const preview = { link_preview_options: { is_disabled: true } };
  return send({ text: renderText(text, "html"), parse_mode: "HTML", ...preview }).catch((error: unknown) => {
    if (!(error instanceof Error && /can't parse entities/i.test(error.message))) throw error;
    return send({ text, ...preview });
  });
}

const sendMethods = { file: ["sendDocument", "document"], photo: ["sendPhoto", "photo"], voice: ["sendVoice", "voice"] } as const;

async function postFile(
  call: Call,
  where: { chat_id: string },
  { name, mediaType, bytes, caption, as }: Extract<SentPart, { kind: "file" }>,
): Promise<string> {
  const [method, field] = sendMethods[as];
  const form = new FormData();
  for (const [member, value] of Object.entries(where)) form.set(member, String(value));
  if (caption) form.set("caption", caption.slice(0, maxCaptionChars));
  form.set(field, new Blob([Buffer.from(bytes)], { type: mediaType }), name);
  const { result } = await call(method, { form, timeoutMs: 120_000 });
  return textIn(result, "message_id");
}

type Bot = { id: string; name: string };

/** A group that becomes a supergroup has another id from then on. The old chat and the new one tell it. */
function noticesOf(update: JsonObject): Notice[] {
  const message = objectIn(update, "message");
  const id = textIn(objectIn(message, "chat"), "id");
  const from = textIn(message, "migrate_from_chat_id") || id;
  const to = textIn(message, "migrate_to_chat_id") || id;
  return from === to ? [] : [{ kind: "moved", from, to }];
}

function eventOf(update: JsonObject, bot: Bot): InboundEvent | null {
  const click = objectIn(update, "callback_query");
  if (textIn(click, "id")) {
    const message = objectIn(click, "message");
    const event = placed(message, objectIn(click, "from"));
    return (
      event && { ...event, kind: "click", key: `click:${textIn(click, "id")}`, text: textIn(click, "data"), isMention: true, files: [] }
    );
  }
  const message = objectIn(update, "message");
  const from = objectIn(message, "from");
  if (!textIn(message, "message_id") || !textIn(from, "id") || textIn(from, "id") === bot.id || from.is_bot === true) return null;
  const event = placed(message, from);
  const text = textIn(message, "text") || textIn(message, "caption") || wordsOfKind(message);
  const files = filesOf(message);
  // A message of the service, such as somebody who joined.
  if (!event || (text === "" && files.length === 0)) return null;
  const addressed = addressee(text);
  if (addressed !== null && addressed !== bot.name.toLowerCase()) return null;
  return { ...event, text: withoutMention(text, bot), isMention: event.place === "private" || isMention(message, text, bot), files };
}

/** The bot that a command names, as in `/new@other_bot`. */
const addressee = (text: string): string | null => /^\/\w+@(\w+)/.exec(text)?.[1]?.toLowerCase() ?? null;

function placed(message: JsonObject, from: JsonObject): InboundEvent | null {
  const chat = objectIn(message, "chat");
  const kind = textIn(chat, "type");
  if (!textIn(chat, "id") || kind === "channel") return null;
  const thread = message.is_topic_message === true ? textIn(message, "message_thread_id") : "";
  const name = nameOf(from) || textIn(from, "username");
  return {
    kind: "message",
    key: `message:${textIn(chat, "id")}:${textIn(message, "message_id")}`,
    place: kind === "private" ? "private" : thread ? "thread" : "group",
    chat: textIn(chat, "id"),
    thread,
    title: textIn(chat, "title") || null,
    messageRef: textIn(message, "message_id"),
    sender: { id: textIn(from, "id"), name: name || textIn(from, "id") },
    text: "",
    isMention: false,
    files: [],
  };
}

const nameOf = (person: JsonObject): string => [textIn(person, "first_name"), textIn(person, "last_name")].filter(Boolean).join(" ");

function isMention(message: JsonObject, text: string, bot: Bot): boolean {
  if (textIn(objectIn(objectIn(message, "reply_to_message"), "from"), "id") === bot.id) return true;
  return [...listIn(message, "entities"), ...listIn(message, "caption_entities")].some((entity) => {
    const at = numberIn(entity, "offset") ?? 0;
    const words = text.slice(at, at + (numberIn(entity, "length") ?? 0));
    const type = textIn(entity, "type");
    if (type === "text_mention") return textIn(objectIn(entity, "user"), "id") === bot.id;
    return type === "mention" && words.toLowerCase() === `@${bot.name.toLowerCase()}`;
  });
}

/** Takes the bot's name from the beginning, so that a command behind it is one. */
const withoutMention = (text: string, { name }: Bot): string =>
  text.toLowerCase().startsWith(`@${name.toLowerCase()} `) ? text.slice(name.length + 2).trimStart() : text;

const fileKinds = [
  ["document", "file"],
  ["voice", "audio"],
  ["audio", "audio"],
  ["video", "video"],
  ["video_note", "video"],
] as const;

type OtherKind = readonly [member: string, kind: string, details: (value: JsonObject) => string[]];

/** Kinds of messages without a text. A venue comes with a location of its own. */
const otherKinds: readonly OtherKind[] = [
  ["sticker", "sticker", (value) => [textIn(value, "emoji")]],
  ["venue", "location", (value) => [textIn(value, "title"), textIn(value, "address"), ...coordinatesOf(objectIn(value, "location"))]],
  ["location", "location", coordinatesOf],
  ["contact", "contact", (value) => [nameOf(value), textIn(value, "phone_number")]],
  ["poll", "poll", (value) => [textIn(value, "question"), ...textsOf(value, "options")]],
  ["checklist", "checklist", (value) => [textIn(value, "title"), ...textsOf(value, "tasks")]],
  ["dice", "dice", (value) => [textIn(value, "emoji"), textIn(value, "value")]],
  ["game", "game", (value) => [textIn(value, "title")]],
  ["invoice", "invoice", (value) => [textIn(value, "title")]],
  ["story", "story", () => []],
  ["paid_media", "paid media", () => []],
  ["giveaway", "giveaway", () => []],
];

const textsOf = (value: JsonObject, member: string): string[] => listIn(value, member).map((one) => textIn(one, "text"));

/** Plain words for a message of a person without a text; empty for a message of the service, such as somebody who joined. */
function wordsOfKind(message: JsonObject): string {
  const found = otherKinds.find(([member]) => Object.keys(objectIn(message, member)).length > 0);
  if (!found) return "";
  const [member, kind, details] = found;
  return kindWords(kind, ...details(objectIn(message, member)));
}

function filesOf(message: JsonObject): ReceivedFile[] {
  const photo = listIn(message, "photo").at(-1);
  const found = fileKinds.flatMap(([member, kind]) => {
    const file = objectIn(message, member);
    return textIn(file, "file_id") ? [fileOf(file, kind, textIn(file, "file_name") || `${member}${kind === "audio" ? ".ogg" : ""}`)] : [];
  });
  return [...(photo ? [fileOf(objectIn(photo), "image", "photo.jpg")] : []), ...found];
}

const fileOf = (file: JsonObject, kind: ReceivedFile["kind"], name: string): ReceivedFile => ({
  ref: textIn(file, "file_id"),
  name,
  mediaType: textIn(file, "mime_type") || null,
  bytes: numberIn(file, "file_size"),
  kind,
});
