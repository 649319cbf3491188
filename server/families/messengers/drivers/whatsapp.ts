import type { Json, JsonObject } from "@/contracts/common";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, type PlatformRequest, readJson } from "../platform-http";
import { renderText } from "../text/text-styles";
import type { Account, Driver, InboundEvent, Notice, SentPart } from "./driver";
import { coordinatesOf, kindWords, unreadableWords } from "./kind-words";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { hmacSha256, isEqualSecret } from "./signatures";

const usualApi = "https://graph.facebook.com/v23.0";
/** Characters of a message with buttons, and of a button. */
const maxCardChars = 1_024;
const maxLabelChars = 20;

/** The Cloud API. WhatsApp has no edits and no groups. */
export function whatsapp(account: Account, http: PlatformHttp): Driver {
  const { token = "", appSecret = "", verifyToken = "" } = account.secrets;
  const api = (account.settings.apiUrl ?? usualApi).replace(/\/+$/, "");
  const number = encodeURIComponent(account.settings.phoneNumberId ?? "");
  const authorization = { authorization: `Bearer ${token}` };
  const call = (path: string, request: PlatformRequest = {}) =>
    http.call(`${api}/${path}`, { ...request, headers: { ...authorization, ...request.headers } });
  const send = async (message: JsonObject) => {
    const answer = await call(`${number}/messages`, { json: { messaging_product: "whatsapp", ...message } });
    return textIn(objectIn(listIn(answer, "messages")[0]), "id") || null;
  };
  return {
    async identify() {
      const phone = await call(`${number}?fields=display_phone_number,verified_name`);
      return { id: textIn(phone, "id") || number, name: textIn(phone, "verified_name") || textIn(phone, "display_phone_number") };
    },
    async receive({ method, headers, query, body }) {
      if (method === "GET") {
        if (query.get("hub.mode") !== "subscribe" || !isEqualSecret(query.get("hub.verify_token"), verifyToken)) return null;
        return { events: [], answer: { body: (query.get("hub.challenge") ?? "").replace(/[^\w-]/g, ""), type: "text/plain" } };
      }
      if (appSecret === "" || !isEqualSecret(headers.get("x-hub-signature-256"), `sha256=${hmacSha256(appSecret, body, "hex")}`))
        return null;
      const values = valuesOf(readJson(body) ?? {}, account.settings.phoneNumberId ?? "");
      return { events: values.flatMap(eventsOf), notices: values.flatMap(noticesOf) };
    },
    async post({ chat }, part) {
      if (part.kind !== "file") return send({ to: chat, recipient_type: "individual", ...wordsOf(part) });
      const form = new FormData();
      form.set("messaging_product", "whatsapp");
      form.set("type", part.mediaType);
      form.set("file", new Blob([Buffer.from(part.bytes)], { type: part.mediaType }), part.name);
      const id = textIn(await call(`${number}/media`, { form, timeoutMs: 120_000 }), "id");
      const type = part.as === "photo" ? "image" : part.as === "voice" ? "audio" : "document";
      const media: JsonObject = { id };
      if (type !== "audio" && part.caption) media.caption = part.caption;
      if (type === "document") media.filename = part.name;
      return send({ to: chat, recipient_type: "individual", type, [type]: media });
    },
    async react({ chat }, messageRef, emoji) {
      await send({ to: chat, recipient_type: "individual", type: "reaction", reaction: { message_id: messageRef, emoji } });
    },
    async typing(_target, messageRef) {
      if (messageRef) await send({ status: "read", message_id: messageRef, typing_indicator: { type: "text" } });
    },
    async file(ref, maxBytes) {
      const address = textIn(await call(encodeURIComponent(ref)), "url");
      const host = URL.parse(address)?.hostname ?? "";
      if (host !== URL.parse(api)?.hostname && !/(^|\.)(fbsbx|facebook|fbcdn|whatsapp)\.(com|net)$/.test(host))
        throw new PlatformError("refused", "The file lies at no address of WhatsApp.");
      const { status, bytes } = await http.request(address, { headers: authorization, maxBytes, timeoutMs: 60_000 });
      if (status !== 200) throw new PlatformError("refused", `WhatsApp answered ${status} for the file.`);
      return bytes;
    },
  };
}

function wordsOf(part: Exclude<SentPart, { kind: "file" }>): JsonObject {
  const text = renderText(part.text, "whatsapp");
  if (part.kind === "text" || part.buttons.length === 0) return { type: "text", text: { body: text, preview_url: false } };
  const buttons = part.buttons.map(({ label, value }) => ({
    type: "reply",
    reply: { id: value.slice(0, 256), title: label.slice(0, maxLabelChars) },
  }));
  return {
    type: "interactive",
    interactive: { type: "button", body: { text: text.slice(0, maxCardChars).toWellFormed() }, action: { buttons } },
  };
}

/** The changes of our number. One app may serve several. */
function valuesOf(payload: JsonObject, phoneNumberId: string): JsonObject[] {
  const changes = listIn(payload, "entry").flatMap((entry) => listIn(entry, "changes"));
  return changes
    .map((change) => objectIn(change, "value"))
    .filter((value) => textIn(objectIn(value, "metadata"), "phone_number_id") === phoneNumberId);
}

function eventsOf(value: JsonObject): InboundEvent[] {
  const names = new Map(
    listIn(value, "contacts").map((contact) => [textIn(contact, "wa_id"), textIn(objectIn(contact, "profile"), "name")]),
  );
  return listIn(value, "messages").flatMap((message) => eventOf(objectIn(message), names));
}

/** Messages that WhatsApp took and could not deliver. Delivered and read ones are no news. */
function noticesOf(value: JsonObject): Notice[] {
  return listIn(value, "statuses").flatMap((status): Notice[] => {
    const [messageRef, chat] = [textIn(status, "id"), textIn(status, "recipient_id")];
    if (textIn(status, "status") !== "failed" || !messageRef) return [];
    const error = listIn(status, "errors")[0];
    const [title, details] = [textIn(error, "title") || textIn(error, "message"), textIn(objectIn(error, "error_data"), "details")];
    const words = [title, details === title ? "" : details].filter(Boolean).join(": ") || "it gives no reason";
    const code = textIn(error, "code");
    return [{ kind: "undelivered", chat, messageRef, reason: `WhatsApp did not deliver it: ${words}${code ? ` (${code})` : ""}` }];
  });
}

const fileTypes = { image: "image", audio: "audio", voice: "audio", video: "video", document: "file", sticker: "image" } as const;

/** Plain words for a message without a text; empty for reactions and messages of the service. */
function wordsOfKind(message: JsonObject, type: string): string {
  const value = objectIn(message, type);
  switch (type) {
    case "sticker":
      return kindWords("sticker");
    case "location":
      return kindWords("location", textIn(value, "name"), textIn(value, "address"), ...coordinatesOf(value));
    case "contacts":
      return listIn(message, "contacts").map(contactWords).join(" ");
    case "order":
      return kindWords("order", `${listIn(value, "product_items").length} products`);
    case "button":
      return textIn(value, "text");
    case "interactive":
      return textIn(objectIn(value, "list_reply"), "title");
    case "unsupported":
    case "unknown":
      return unreadableWords("WhatsApp");
    default:
      return "";
  }
}

const contactWords = (contact: Json): string =>
  kindWords(
    "contact",
    textIn(objectIn(contact, "name"), "formatted_name"),
    ...listIn(contact, "phones").map((phone) => textIn(phone, "phone") || textIn(phone, "wa_id")),
  );

function eventOf(message: JsonObject, names: ReadonlyMap<string, string>): InboundEvent[] {
  const [id, from, type] = [textIn(message, "id"), textIn(message, "from"), textIn(message, "type")];
  if (!id || !from) return [];
  const base = { place: "private" as const, chat: from, sender: { id: from, name: names.get(from) || `+${from}` }, isMention: true };
  const reply = objectIn(objectIn(message, "interactive"), "button_reply");
  if (textIn(reply, "id"))
    return [
      {
        ...base,
        kind: "click",
        key: `click:${id}`,
        messageRef: textIn(objectIn(message, "context"), "id") || null,
        text: textIn(reply, "id"),
        files: [],
      },
    ];
  const kind = fileTypes[type as keyof typeof fileTypes];
  const file = objectIn(message, type);
  const files = kind
    ? [
        {
          ref: textIn(file, "id"),
          name: textIn(file, "filename") || type,
          mediaType: textIn(file, "mime_type") || null,
          bytes: numberIn(file, "file_size"),
          kind,
        },
      ]
    : [];
  const text = type === "text" ? textIn(objectIn(message, "text"), "body") : textIn(file, "caption") || wordsOfKind(message, type);
  if (text === "" && files.length === 0) return [];
  return [{ ...base, kind: "message", key: `message:${id}`, messageRef: id, text, files }];
}
