import { createPublicKey, verify } from "node:crypto";
import type { JsonObject } from "@/contracts/common";
import type { ReceivedFile } from "@/db/schema";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, type PlatformRequest, readJson } from "../platform-http";
import { gateway } from "./discord-gateway";
import type { Account, Driver, InboundEvent, SentPart } from "./driver";
import { kindOfFile } from "./kind-of-file";
import { kindWords } from "./kind-words";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { isRecent } from "./signatures";

const usualApi = "https://discord.com/api/v10";
/** Prefix of an Ed25519 public key in DER, before its 32 bytes. */
const ed25519Prefix = Buffer.from("302a300506032b6570032100", "hex");

/** The REST API, with the gateway for messages or signed interactions. */
export function discord(account: Account, http: PlatformHttp): Driver {
  const { token = "" } = account.secrets;
  const api = (account.settings.apiUrl ?? usualApi).replace(/\/+$/, "");
  const authorization = { authorization: `Bot ${token}` };
  const call = (path: string, request: PlatformRequest = {}) =>
    http.call(`${api}${path}`, { ...request, headers: { ...authorization, ...request.headers } });
  const bare = async (path: string, request: PlatformRequest) => {
    const { status } = await http.request(`${api}${path}`, { ...request, headers: authorization });
    if (status > 299) throw new PlatformError("refused", `Discord answered ${status}.`);
  };
  /** Says that a click was taken; the card is changed later. */
  const acknowledge = (id: string, answer: string) =>
    http.request(`${api}/interactions/${id}/${encodeURIComponent(answer)}/callback`, { json: { type: 6 } });
  return {
    async identify() {
      const user = await call("/users/@me");
      return { id: textIn(user, "id"), name: textIn(user, "username") };
    },
    async receive({ headers, body }) {
      if (!isSigned(account.settings.publicKey ?? "", headers, body)) return null;
      const interaction = readJson(body) ?? {};
      if (numberIn(interaction, "type") === 1) return { events: [], answer: { body: '{"type":1}' } };
      return { events: clickOf(interaction), answer: { body: '{"type":6}' } };
    },
    async connect({ cursor, signal, opened, store }) {
      await gateway({
        address: async () => textIn(await call("/gateway/bot", { signal }), "url"),
        token,
        signal,
        opened,
        cursor,
        dispatch: async (type, data, next) => {
          const events =
            type === "MESSAGE_CREATE" ? messageOf(data, account.bot?.id ?? "") : type === "INTERACTION_CREATE" ? clickOf(data) : [];
          await store(events, next);
          if (type === "INTERACTION_CREATE") await acknowledge(textIn(data, "id"), textIn(data, "token")).catch(() => {});
        },
      });
    },
    async post({ chat, thread }, part, key) {
      const path = `/channels/${thread ?? chat}/messages`;
      const answer =
        part.kind === "file"
          ? await call(path, { form: formOf(part, key), timeoutMs: 120_000 })
          : await call(path, { json: messageBody(part, key) });
      return textIn(answer, "id");
    },
    async edit({ chat, thread }, messageRef, text) {
      await call(`/channels/${thread ?? chat}/messages/${messageRef}`, {
        method: "PATCH",
        json: { content: text, components: [], allowed_mentions: { parse: [] } },
      });
    },
    async react({ chat, thread }, messageRef, emoji) {
      await bare(`/channels/${thread ?? chat}/messages/${messageRef}/reactions/${encodeURIComponent(emoji)}/@me`, { method: "PUT" });
    },
    typing: ({ chat, thread }) => bare(`/channels/${thread ?? chat}/typing`, { method: "POST" }),
    async file(ref, maxBytes) {
      const host = URL.parse(ref)?.hostname ?? "";
      if (host !== URL.parse(api)?.hostname && !/(^|\.)(discordapp\.(com|net)|discord\.com)$/.test(host))
        throw new PlatformError("refused", "The file lies at no address of Discord.");
      const { status, bytes } = await http.request(ref, { maxBytes, timeoutMs: 60_000 });
      if (status !== 200) throw new PlatformError("refused", `Discord answered ${status} for the file.`);
      return bytes;
    },
  };
}

function isSigned(publicKey: string, headers: Headers, body: Uint8Array): boolean {
  const timestamp = headers.get("x-signature-timestamp") ?? "";
  const signature = headers.get("x-signature-ed25519") ?? "";
  if (!/^[0-9a-f]{64}$/i.test(publicKey) || !/^[0-9a-f]{128}$/i.test(signature) || !isRecent(Number(timestamp))) return false;
  const key = createPublicKey({ key: Buffer.concat([ed25519Prefix, Buffer.from(publicKey, "hex")]), format: "der", type: "spki" });
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, "hex"));
}

const styles = { primary: 3, danger: 4 } as const;

/** Nobody is called by a text of the model: mentions in it have no effect. A repeated nonce is recognised by Discord. */
const ownMembers = (content: string, key: string) => ({
  content,
  nonce: key.replaceAll("-", "").slice(-25),
  enforce_nonce: true,
  allowed_mentions: { parse: [] },
});

function messageBody(part: Exclude<SentPart, { kind: "file" }>, key: string): JsonObject {
  const buttons = part.kind === "card" ? part.buttons : [];
  const components = buttons.map(({ label, value, style }) => ({
    type: 2,
    label: label.slice(0, 80),
    custom_id: value.slice(0, 100),
    style: style ? styles[style] : 2,
  }));
  return {
    ...ownMembers(part.text, key),
    ...(components.length > 0 ? { components: [{ type: 1, components }] } : {}),
  };
}

function formOf({ name, mediaType, bytes, caption }: Extract<SentPart, { kind: "file" }>, key: string): FormData {
  const form = new FormData();
  form.set("payload_json", JSON.stringify(ownMembers(caption, key)));
  form.set("files[0]", new Blob([Buffer.from(bytes)], { type: mediaType }), name);
  return form;
}

function messageOf(message: JsonObject, bot: string): InboundEvent[] {
  const author = objectIn(message, "author");
  const [id, chat] = [textIn(message, "id"), textIn(message, "channel_id")];
  if (!id || !chat || author.bot === true || !textIn(author, "id") || ![0, 19].includes(numberIn(message, "type") ?? 0)) return [];
  const isPrivate = textIn(message, "guild_id") === "";
  const files = listIn(message, "attachments").map((file): ReceivedFile => {
    const mediaType = textIn(file, "content_type") || null;
    const name = textIn(file, "filename") || "file";
    return { ref: textIn(file, "url"), name, mediaType, bytes: numberIn(file, "size"), kind: kindOfFile(mediaType) };
  });
  const words = textIn(message, "content")
    .replaceAll(new RegExp(`<@!?${bot || "none"}>`, "g"), "")
    .trim();
  const text = words || wordsOfKind(message);
  if (text === "" && files.length === 0) return [];
  const isMention =
    listIn(message, "mentions").some((user) => textIn(user, "id") === bot) ||
    (bot !== "" && textIn(objectIn(objectIn(message, "referenced_message"), "author"), "id") === bot);
  return [
    {
      kind: "message",
      key: `message:${id}`,
      place: isPrivate ? "private" : "group",
      chat,
      messageRef: id,
      sender: { id: textIn(author, "id"), name: textIn(author, "global_name") || textIn(author, "username") },
      text,
      isMention: isPrivate || isMention,
      files,
    },
  ];
}

/** Plain words for stickers, polls and forwarded messages; empty for others. */
function wordsOfKind(message: JsonObject): string {
  const stickers = listIn(message, "sticker_items").map((sticker) => kindWords("sticker", textIn(sticker, "name")));
  const poll = objectIn(message, "poll");
  const question = textIn(objectIn(poll, "question"), "text");
  const answers = listIn(poll, "answers").map((answer) => textIn(objectIn(answer, "poll_media"), "text"));
  const forwarded = listIn(message, "message_snapshots").map(
    (snapshot) => `${kindWords("forwarded message")} ${textIn(objectIn(snapshot, "message"), "content")}`,
  );
  return [...stickers, ...(question ? [kindWords("poll", question, ...answers)] : []), ...forwarded].join("\n").trim();
}

function clickOf(interaction: JsonObject): InboundEvent[] {
  const user = objectIn(objectIn(interaction, "member"), "user");
  const person = textIn(user, "id") ? user : objectIn(interaction, "user");
  const [id, chat, value] = [
    textIn(interaction, "id"),
    textIn(interaction, "channel_id"),
    textIn(objectIn(interaction, "data"), "custom_id"),
  ];
  if (!id || !chat || !value || numberIn(interaction, "type") !== 3 || !textIn(person, "id")) return [];
  return [
    {
      kind: "click",
      key: `click:${id}`,
      place: textIn(interaction, "guild_id") === "" ? "private" : "group",
      chat,
      messageRef: textIn(objectIn(interaction, "message"), "id") || null,
      sender: { id: textIn(person, "id"), name: textIn(person, "global_name") || textIn(person, "username") },
      text: value,
      isMention: true,
      files: [],
    },
  ];
}
