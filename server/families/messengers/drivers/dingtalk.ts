import type { JsonObject } from "@/contracts/common";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, readJson } from "../platform-http";
import { tokenKeeper } from "./access-token";
import type { Account, Driver, InboundEvent } from "./driver";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { hmacSha256, isEqualSecret } from "./signatures";

const usualApi = "https://api.dingtalk.com";
const hourMs = 3_600_000;

/** An enterprise robot: signed calls in, Markdown out. DingTalk's robots have no buttons of their own and no edits. */
export function dingtalk(account: Account, http: PlatformHttp): Driver {
  const { clientSecret = "" } = account.secrets;
  const { clientId = "" } = account.settings;
  const api = (account.settings.apiUrl ?? usualApi).replace(/\/+$/, "");
  const token = tokenKeeper(async () => {
    const answer = await http.call(`${api}/v1.0/oauth2/accessToken`, { json: { appKey: clientId, appSecret: clientSecret } });
    return { token: textIn(answer, "accessToken"), seconds: numberIn(answer, "expireIn") ?? 600 };
  });
  const call = async (path: string, json: JsonObject) =>
    http.call(`${api}${path}`, { json, headers: { "x-acs-dingtalk-access-token": await token() } });
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
    async post({ kind, chat, replyTo }, part) {
      const text = part.kind === "file" ? `${part.name}: ${part.caption || "the file is in the console."}` : part.text;
      const msg = { robotCode: clientId, msgKey: "sampleMarkdown", msgParam: JSON.stringify({ title: text.slice(0, 40), text }) };
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

function eventOf(message: JsonObject): InboundEvent | null {
  const [id, chat] = [textIn(message, "msgId"), textIn(message, "conversationId")];
  const user = textIn(message, "senderStaffId") || textIn(message, "senderId");
  if (!id || !chat || !user) return null;
  const isPrivate = textIn(message, "conversationType") === "1";
  const content = objectIn(message, "content");
  const type = textIn(message, "msgtype");
  const code = textIn(content, "downloadCode");
  const kind = type === "picture" ? "image" : type === "audio" ? "audio" : type === "video" ? "video" : "file";
  const text = textIn(objectIn(message, "text"), "content").trim() || textIn(content, "recognition");
  if (text === "" && code === "") return null;
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
    files: code ? [{ ref: code, name: textIn(content, "fileName") || type, mediaType: null, bytes: null, kind }] : [],
  };
}
