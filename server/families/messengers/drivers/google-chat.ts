import { importPKCS8, SignJWT } from "jose";
import type { Json, JsonObject } from "@/contracts/common";
import type { ReceivedFile } from "@/db/schema";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, type PlatformRequest, readJson } from "../platform-http";
import { renderText } from "../text/text-styles";
import { tokenKeeper } from "./access-token";
import type { Account, Driver, InboundEvent, SentPart } from "./driver";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { tokenCheck } from "./signed-tokens";

const usualApi = "https://chat.googleapis.com";
const usualToken = "https://oauth2.googleapis.com/token";
const issuer = "chat@system.gserviceaccount.com";
const usualKeys = `https://www.googleapis.com/service_accounts/v1/jwk/${issuer}`;

/** A Chat app with an HTTP endpoint, and a service account for its answers. */
export function googleChat(account: Account, http: PlatformHttp): Driver {
  const { projectNumber = "", tokenUrl = usualToken, keysUrl = usualKeys } = account.settings;
  const api = (account.settings.apiUrl ?? usualApi).replace(/\/+$/, "");
  const service = readJson(Buffer.from(account.secrets.serviceAccount ?? "")) ?? {};
  const check = tokenCheck(http, keysUrl);
  const token = tokenKeeper(async () => {
    const key = await importPKCS8(textIn(service, "private_key"), "RS256").catch(() => {
      throw new PlatformError("refused", "The service account's key cannot be read. Paste the whole JSON file.");
    });
    const assertion = await new SignJWT({ scope: "https://www.googleapis.com/auth/chat.bot" })
      .setProtectedHeader({ alg: "RS256" })
      .setIssuer(textIn(service, "client_email"))
      .setAudience(usualToken)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key);
    const form = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
    const answer = await http.call(tokenUrl, { form });
    return { token: textIn(answer, "access_token"), seconds: numberIn(answer, "expires_in") ?? 600 };
  });
  const call = async (path: string, request: PlatformRequest) =>
    http.call(`${api}/v1/${path}`, { ...request, headers: { authorization: `Bearer ${await token()}` } });
  return {
    async identify() {
      await token();
      return { id: projectNumber, name: textIn(service, "client_email") };
    },
    async receive({ headers, body }) {
      const claims = await check(headers.get("authorization"), { issuer, audience: projectNumber });
      if (!claims) return null;
      const event = eventOf(readJson(body) ?? {});
      return { events: event ? [event] : [] };
    },
    async post({ chat, thread }, part, key) {
      const query = new URLSearchParams({
        requestId: `client-${key}`,
        ...(thread ? { messageReplyOption: "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD" } : {}),
      });
      const json = { ...messageOf(part), ...(thread ? { thread: { name: thread } } : {}) };
      return textIn(await call(`${spacePath(chat)}/messages?${query}`, { json }), "name") || null;
    },
    async file(ref, maxBytes) {
      if (!/^[\w.=/+-]+$/.test(ref) || ref.includes("..")) throw new PlatformError("refused", "Google Chat names no such file.");
      const address = `${api}/v1/media/${ref}?alt=media`;
      const headers = { authorization: `Bearer ${await token()}` };
      const { status, bytes } = await http.request(address, { headers, maxBytes, timeoutMs: 60_000 });
      if (status !== 200) throw new PlatformError("refused", `Google Chat answered ${status} for the file.`);
      return bytes;
    },
    async edit(_target, messageRef, text) {
      if (!/^spaces\/[\w.-]+\/messages\/[\w.-]+$/.test(messageRef))
        throw new PlatformError("refused", "Google Chat names no such message.");
      await call(`${messageRef}?updateMask=text,cardsV2`, { method: "PATCH", json: { text: renderText(text, "slack"), cardsV2: [] } });
    },
  };
}

/** Ids of spaces stand in addresses. */
function spacePath(chat: string): string {
  if (!/^spaces\/[\w.-]+$/.test(chat)) throw new PlatformError("refused", "Google Chat names no such space.");
  return chat;
}

function messageOf(part: SentPart): JsonObject {
  // Google takes files from apps only with the sign-in of a person.
  if (part.kind === "file") return { text: `${part.name}: ${part.caption || "the file is in the console."}` };
  const text = renderText(part.text, "slack");
  if (part.kind === "text" || part.buttons.length === 0) return { text };
  const buttons = part.buttons.map(({ label, value }) => ({
    text: label,
    onClick: { action: { function: "handrail", parameters: [{ key: "value", value }] } },
  }));
  return { text, cardsV2: [{ cardId: "handrail", card: { sections: [{ widgets: [{ buttonList: { buttons } }] }] } }] };
}

/** Files of Drive are links to another service, and are not taken. */
function fileOf(attachment: Json): ReceivedFile[] {
  const ref = textIn(objectIn(attachment, "attachmentDataRef"), "resourceName");
  const mediaType = textIn(attachment, "contentType") || null;
  const [group = ""] = (mediaType ?? "").split("/");
  const kind = group === "image" || group === "audio" || group === "video" ? group : "file";
  return ref ? [{ ref, name: textIn(attachment, "contentName") || "file", mediaType, bytes: null, kind }] : [];
}

function eventOf(event: JsonObject): InboundEvent | null {
  const user = objectIn(event, "user");
  const message = objectIn(event, "message");
  const space = objectIn(event, "space");
  const [chat, person] = [textIn(space, "name"), textIn(user, "name")];
  if (!chat || !person || textIn(user, "type") === "BOT") return null;
  const isPrivate = textIn(space, "type") === "DM" || textIn(space, "spaceType") === "DIRECT_MESSAGE";
  const thread = isPrivate ? "" : textIn(objectIn(message, "thread"), "name");
  const placed = {
    place: isPrivate ? ("private" as const) : thread ? ("thread" as const) : ("group" as const),
    chat,
    thread,
    title: textIn(space, "displayName") || null,
    sender: { id: person, name: textIn(user, "displayName") || person, email: textIn(user, "email") || null },
    messageRef: textIn(message, "name") || null,
    isMention: true,
    files: listIn(message, "attachment").flatMap(fileOf),
  };
  if (textIn(event, "type") === "CARD_CLICKED") {
    const text = textIn(objectIn(listIn(objectIn(event, "action"), "parameters")[0]), "value");
    return text ? { ...placed, kind: "click", key: `click:${textIn(event, "eventTime")}:${person}:${text}`, text } : null;
  }
  const text = (textIn(message, "argumentText") || textIn(message, "text")).trim();
  // A space sends only messages that mention the app.
  return textIn(event, "type") === "MESSAGE" && (text !== "" || placed.files.length > 0)
    ? { ...placed, kind: "message", key: `message:${textIn(message, "name")}`, text }
    : null;
}
