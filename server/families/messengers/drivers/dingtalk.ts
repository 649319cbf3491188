import type { JsonObject } from "@/contracts/common";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, readJson } from "../platform-http";
import { tokenKeeper } from "./access-token";
import type { Account, Driver, InboundEvent, SentPart } from "./driver";
import { kindWords, unreadableWords } from "./kind-words";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { hmacSha256, isEqualSecret } from "./signatures";
import { openSocket } from "./socket";

const usualApi = "https://api.dingtalk.com";
const hourMs = 3_600_000;
/** Messages to the robot, in a stream. */
const robotTopic = "/v1.0/im/bot/messages/get";

/** An enterprise robot: a stream or signed calls in, Markdown out. DingTalk's robots have no buttons of their own and no edits. */
export function dingtalk(account: Account, http: PlatformHttp): Driver {
  const { clientSecret = "" } = account.secrets;
  const { clientId = "" } = account.settings;
  const api = (account.settings.apiUrl ?? usualApi).replace(/\/+$/, "");
  // Uploads lie on the older host; a server of one's own has both.
  const uploads = api === usualApi ? "https://oapi.dingtalk.com" : api;
  const token = tokenKeeper(async () => {
    const answer = await http.call(`${api}/v1.0/oauth2/accessToken`, { json: { appKey: clientId, appSecret: clientSecret } });
    return { token: textIn(answer, "accessToken"), seconds: numberIn(answer, "expireIn") ?? 600 };
  });
  const call = async (path: string, json: JsonObject) =>
    http.call(`${api}${path}`, { json, headers: { "x-acs-dingtalk-access-token": await token() } });
  const upload = async ({ name, mediaType, bytes, as }: Extract<SentPart, { kind: "file" }>) => {
    const form = new FormData();
    const isImage = as === "photo";
    form.set("media", new Blob([Buffer.from(bytes)], { type: mediaType }), name);
    const query = new URLSearchParams({ access_token: await token(), type: isImage ? "image" : "file" });
    const answer = await http.call(`${uploads}/media/upload?${query}`, { form, timeoutMs: 120_000 });
    const mediaId = textIn(answer, "media_id");
    if (!mediaId) throw new PlatformError("refused", `DingTalk: ${textIn(answer, "errmsg") || "the file was not taken"}`);
    if (isImage) return { msgKey: "sampleImageMsg", msgParam: { photoURL: mediaId } };
    return { msgKey: "sampleFile", msgParam: { mediaId, fileName: name, fileType: /\.(\w+)$/.exec(name)?.[1] ?? "file" } };
  };
  return {
    async identify() {
      if ((await token()) === "") throw new PlatformError("refused", "DingTalk gives no access token. Check client ID and secret.");
      return { id: clientId, name: account.name };
    },
    async receive({ headers, body }) {
      const timestamp = headers.get("timestamp") ?? "";
      const isInTime = Math.abs(Date.now() - Number(timestamp)) < hourMs;
      const expected = hmacSha256(clientSecret, `${timestamp}\n${clientSecret}`, "base64");
      if (clientSecret === "" || !isInTime || !isEqualSecret(headers.get("sign"), expected)) return null;
      const message = readJson(body);
      const event = message && eventOf(message);
      return { events: event ? [event] : [] };
    },
    async connect({ signal, opened, store }) {
      const subscriptions = [{ type: "CALLBACK", topic: robotTopic }];
      const asked = { clientId, clientSecret, subscriptions, ua: "handrail", localIp: "127.0.0.1" };
      const { endpoint, ticket } = await http.call(`${api}/v1.0/gateway/connections/open`, { json: asked, signal });
      const socket = await openSocket(`${endpoint}?ticket=${encodeURIComponent(String(ticket))}`, { signal, silentMs: 120_000 });
      opened();
      for await (const text of socket.messages()) {
        const frame = readJson(Buffer.from(text)) ?? {};
        const headers = objectIn(frame, "headers");
        const topic = textIn(headers, "topic");
        if (topic === "disconnect") return socket.close();
        const event = topic === robotTopic ? eventOf(readJson(Buffer.from(textIn(frame, "data"))) ?? {}) : null;
        // Stored first: DingTalk sends again what was not acknowledged.
        if (event) await store([event]);
        const data = topic === "ping" ? textIn(frame, "data") : JSON.stringify({ response: null });
        const own = { messageId: textIn(headers, "messageId"), contentType: "application/json" };
        socket.send(JSON.stringify({ code: 200, headers: own, message: "OK", data }));
      }
    },
    async post({ kind, chat, replyTo }, part) {
      const { msgKey, msgParam } = part.kind === "file" ? await upload(part) : markdown(part.text);
      const msg = { robotCode: clientId, msgKey, msgParam: JSON.stringify(msgParam) };
      const answer =
        kind === "private"
          ? await call("/v1.0/robot/oToMessages/batchSend", { ...msg, userIds: [replyTo?.user ?? chat] })
          : await call("/v1.0/robot/groupMessages/send", { ...msg, openConversationId: chat });
      const missing = [...listIn(answer, "invalidStaffIdList"), ...listIn(answer, "flowControlledStaffIdList")];
      if (missing.length > 0) throw new PlatformError("refused", "DingTalk did not take the message for this person.");
      return textIn(answer, "processQueryKey") || null;
    },
    async file(ref, maxBytes) {
      const answer = await call("/v1.0/robot/messageFiles/download", { downloadCode: ref, robotCode: clientId });
      const { status, bytes } = await http.request(textIn(answer, "downloadUrl"), { maxBytes, timeoutMs: 60_000 });
      if (status !== 200) throw new PlatformError("refused", `DingTalk answered ${status} for the file.`);
      return bytes;
    },
  };
}

const markdown = (text: string) => ({ msgKey: "sampleMarkdown", msgParam: { title: text.slice(0, 40), text } });

const readableTypes = ["", "text", "richText", "picture", "audio", "video", "file"];

/** Plain words for a message without a text and a file. */
function wordsOfKind(type: string, content: JsonObject): string {
  if (readableTypes.includes(type)) return "";
  if (type === "chatRecord") return kindWords("forwarded messages", textIn(content, "summary"));
  if (type === "interactiveCard") return kindWords("card", textIn(content, "title"));
  return unreadableWords("DingTalk");
}

function eventOf(message: JsonObject): InboundEvent | null {
  const [id, chat] = [textIn(message, "msgId"), textIn(message, "conversationId")];
  const user = textIn(message, "senderStaffId") || textIn(message, "senderId");
  if (!id || !chat || !user) return null;
  const isPrivate = textIn(message, "conversationType") === "1";
  const content = objectIn(message, "content");
  const type = textIn(message, "msgtype");
  const code = textIn(content, "downloadCode");
  const kind = type === "picture" ? "image" : type === "audio" ? "audio" : type === "video" ? "video" : "file";
  const parts = listIn(content, "richText");
  const formatted = parts.map((part) => textIn(part, "text")).join("");
  const words = textIn(objectIn(message, "text"), "content").trim() || textIn(content, "recognition") || formatted.trim();
  const pictures = parts.flatMap((part) => textIn(part, "downloadCode") || []);
  const files = [
    ...(code ? [{ ref: code, name: textIn(content, "fileName") || type, mediaType: null, bytes: null, kind } as const] : []),
    ...pictures.map((ref) => ({ ref, name: "picture", mediaType: null, bytes: null, kind: "image" }) as const),
  ];
  const text = words || (files.length === 0 ? wordsOfKind(type, content) : "");
  if (text === "" && files.length === 0) return null;
  return {
    kind: "message",
    key: `message:${id}`,
    place: isPrivate ? "private" : "group",
    chat,
    title: textIn(message, "conversationTitle") || null,
    replyTo: { user },
    messageRef: id,
    sender: { id: user, name: textIn(message, "senderNick") || user },
    text,
    isMention: isPrivate || message.isInAtList === true,
    files,
  };
}
