import { createHash } from "node:crypto";
import type { JsonObject } from "@/contracts/common";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, type PlatformRequest, readJson } from "../platform-http";
import { renderText } from "../text/text-styles";
import type { Account, Driver, InboundEvent, SentPart } from "./driver";
import { coordinatesOf, kindWords } from "./kind-words";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { hmacSha256, isEqualSecret } from "./signatures";

const usualApi = "https://api.line.me";
/** Characters of a template with buttons. */
const maxTemplateChars = 160;

/** The Messaging API. LINE has no edits; a repeated push is recognised by its retry key. */
export function line(account: Account, http: PlatformHttp): Driver {
  const { token = "", channelSecret = "" } = account.secrets;
  const api = (account.settings.apiUrl ?? usualApi).replace(/\/+$/, "");
  // Files lie on a host of their own; a server of one's own has both.
  const data = api === usualApi ? "https://api-data.line.me" : api;
  const authorization = { authorization: `Bearer ${token}` };
  const call = (path: string, request: PlatformRequest = {}) =>
    http.call(`${api}${path}`, { ...request, headers: { ...authorization, ...request.headers } });
  return {
    async identify() {
      const bot = await call("/v2/bot/info");
      return { id: textIn(bot, "userId"), name: textIn(bot, "displayName") };
    },
    async receive({ headers, body }) {
      if (channelSecret === "" || !isEqualSecret(headers.get("x-line-signature"), hmacSha256(channelSecret, body, "base64"))) return null;
      return { events: listIn(readJson(body) ?? {}, "events").flatMap((event) => eventOf(objectIn(event), account.bot?.id ?? "")) };
    },
    async post({ chat }, part, key) {
      const messages = [messageOf(part)];
      const { status, bytes } = await http.request(`${api}/v2/bot/message/push`, {
        json: { to: chat, messages },
        headers: { ...authorization, "x-line-retry-key": retryKeyOf(key) },
      });
      // 409: LINE has this message already.
      if (status !== 200 && status !== 409)
        throw new PlatformError("refused", `LINE answered ${status}: ${textIn(readJson(bytes) ?? {}, "message")}`);
      return textIn(objectIn(listIn(readJson(bytes) ?? {}, "sentMessages")[0]), "id") || null;
    },
    async typing({ kind, chat }) {
      if (kind === "private")
        await http.request(`${api}/v2/bot/chat/loading/start`, { json: { chatId: chat, loadingSeconds: 5 }, headers: authorization });
    },
    async file(ref, maxBytes) {
      const { status, bytes } = await http.request(`${data}/v2/bot/message/${encodeURIComponent(ref)}/content`, {
        headers: authorization,
        maxBytes,
        timeoutMs: 60_000,
      });
      if (status !== 200) throw new PlatformError("refused", `LINE answered ${status} for the file.`);
      return bytes;
    },
    async sender(id) {
      const profile = await call(`/v2/bot/profile/${encodeURIComponent(id)}`);
      return { name: textIn(profile, "displayName") || id, email: null };
    },
  };
}

/** A UUID of the part, the same at each attempt. */
function retryKeyOf(key: string): string {
  const digits = createHash("sha256").update(key).digest("hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

function messageOf(part: SentPart): JsonObject {
  // LINE loads files from public addresses only, and has no messages with files of apps.
  if (part.kind === "file") return { type: "text", text: `${part.name}: ${part.caption || "the file is in the console."}` };
  const text = renderText(part.text, "plain");
  if (part.kind === "text" || part.buttons.length === 0) return { type: "text", text };
  // The card's text may be longer than a template: it stands in the alternative text and in the quick replies' message.
  const items = part.buttons.map(({ label, value }) => ({
    type: "action",
    action: { type: "postback", label: label.slice(0, 20), data: value.slice(0, 300), displayText: label.slice(0, maxTemplateChars) },
  }));
  return { type: "text", text, quickReply: { items } };
}

/** Plain words for a message without a text; empty for files. */
function wordsOfKind(message: JsonObject): string {
  const type = textIn(message, "type");
  if (type === "location") return kindWords("location", textIn(message, "title"), textIn(message, "address"), ...coordinatesOf(message));
  const [word] = listIn(message, "keywords");
  return type === "sticker" ? kindWords("sticker", textIn(message, "text") || (typeof word === "string" ? word : "")) : "";
}

function eventOf(event: JsonObject, bot: string): InboundEvent[] {
  const source = objectIn(event, "source");
  const group = textIn(source, "groupId") || textIn(source, "roomId");
  const user = textIn(source, "userId");
  const message = objectIn(event, "message");
  if (!user) return [];
  const placed = {
    place: group ? ("group" as const) : ("private" as const),
    chat: group || user,
    sender: { id: user, name: "" },
    title: null,
  };
  if (textIn(event, "type") === "postback") {
    const text = textIn(objectIn(event, "postback"), "data");
    return [
      { ...placed, kind: "click", key: `click:${textIn(event, "webhookEventId")}`, messageRef: null, text, isMention: true, files: [] },
    ];
  }
  if (textIn(event, "type") !== "message") return [];
  const id = textIn(message, "id");
  const type = textIn(message, "type");
  const kinds: Record<string, "image" | "audio" | "video" | "file"> = { image: "image", audio: "audio", video: "video", file: "file" };
  const kind = kinds[type];
  const files = kind
    ? [{ ref: id, name: textIn(message, "fileName") || `${type}-${id}`, mediaType: null, bytes: numberIn(message, "fileSize"), kind }]
    : [];
  const text = type === "text" ? textIn(message, "text") : wordsOfKind(message);
  if (text === "" && files.length === 0) return [];
  const isMention = listIn(objectIn(message, "mention"), "mentionees").some(
    (one) => objectIn(one).isSelf === true || textIn(one, "userId") === bot,
  );
  return [
    {
      ...placed,
      kind: "message",
      key: `message:${id}`,
      messageRef: id,
      text,
      isMention: !group || isMention,
      files,
      repliesTo: textIn(message, "quotedMessageId"),
    },
  ];
}
