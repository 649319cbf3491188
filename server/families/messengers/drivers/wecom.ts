import { createDecipheriv, createHash } from "node:crypto";
import { SaxesParser } from "saxes";
import type { JsonObject } from "@/contracts/common";
import { PlatformError } from "../platform-error";
import type { PlatformHttp, PlatformRequest } from "../platform-http";
import { renderText } from "../text/text-styles";
import { tokenKeeper } from "./access-token";
import type { Account, Driver, InboundEvent } from "./driver";
import { kindWords, unreadableWords } from "./kind-words";
import { numberIn, textIn } from "./read-members";
import { isEqualSecret, isRecent } from "./signatures";

const usualApi = "https://qyapi.weixin.qq.com";

/** An app of an enterprise: encrypted and signed XML in, text out. WeCom has no edits, and its apps have no groups. */
export function wecom(account: Account, http: PlatformHttp): Driver {
  const { secret = "", token: word = "", aesKey = "" } = account.secrets;
  const { corpId = "", agentId = "" } = account.settings;
  const api = `${(account.settings.apiUrl ?? usualApi).replace(/\/+$/, "")}/cgi-bin`;
  const token = tokenKeeper(async () => {
    const query = new URLSearchParams({ corpid: corpId, corpsecret: secret });
    const answer = checked(await http.call(`${api}/gettoken?${query}`));
    return { token: textIn(answer, "access_token"), seconds: numberIn(answer, "expires_in") ?? 600 };
  });
  const call = async (path: string, request: PlatformRequest = {}) =>
    checked(await http.call(`${api}${path}${path.includes("?") ? "&" : "?"}access_token=${encodeURIComponent(await token())}`, request));
  const opened = (encrypted: string, query: URLSearchParams): string | null => {
    const signed = [word, query.get("timestamp") ?? "", query.get("nonce") ?? "", encrypted].sort().join("");
    const expected = createHash("sha1").update(signed).digest("hex");
    if (word === "" || !isRecent(Number(query.get("timestamp"))) || !isEqualSecret(query.get("msg_signature"), expected)) return null;
    return decrypted(aesKey, corpId, encrypted);
  };
  return {
    async identify() {
      const app = await call(`/agent/get?agentid=${encodeURIComponent(agentId)}`);
      return { id: agentId, name: textIn(app, "name") };
    },
    async receive({ method, query, body }) {
      if (method === "GET") {
        const echo = opened(query.get("echostr") ?? "", query);
        return echo === null ? null : { events: [], answer: { body: echo, type: "text/plain" } };
      }
      const xml = opened(membersOf(Buffer.from(body).toString("utf8")).Encrypt ?? "", query);
      if (xml === null) return null;
      const event = eventOf(membersOf(xml), agentId);
      return { events: event ? [event] : [], answer: { body: "success", type: "text/plain" } };
    },
    async post({ chat }, part) {
      const about = { touser: chat, agentid: Number(agentId) };
      if (part.kind !== "file") {
        const answer = await call("/message/send", {
          json: { ...about, msgtype: "text", text: { content: renderText(part.text, "plain") } },
        });
        return textIn(answer, "msgid") || null;
      }
      const form = new FormData();
      form.set("media", new Blob([Buffer.from(part.bytes)], { type: part.mediaType }), part.name);
      const type = part.as === "photo" ? "image" : "file";
      const media = textIn(await call(`/media/upload?type=${type}`, { form, timeoutMs: 120_000 }), "media_id");
      return textIn(await call("/message/send", { json: { ...about, msgtype: type, [type]: { media_id: media } } }), "msgid") || null;
    },
    async file(ref, maxBytes) {
      const address = `${api}/media/get?access_token=${encodeURIComponent(await token())}&media_id=${encodeURIComponent(ref)}`;
      const { status, bytes, headers } = await http.request(address, { maxBytes, timeoutMs: 60_000 });
      // A refusal comes as JSON with status 200.
      if (status !== 200 || headers["content-type"]?.includes("json")) throw new PlatformError("refused", "WeCom gives no file.");
      return bytes;
    },
    async sender(id) {
      const user = await call(`/user/get?userid=${encodeURIComponent(id)}`);
      return { name: textIn(user, "name") || id, email: textIn(user, "email") || null };
    },
  };
}

/** WeCom says in the body what is wrong, with status 200. @throws PlatformError */
function checked(answer: JsonObject): JsonObject {
  const code = numberIn(answer, "errcode") ?? 0;
  if (code === 0) return answer;
  if (code === 45009 || code === 45033) throw new PlatformError("rate", "WeCom asks for fewer requests.", { retryAfterMs: 60_000 });
  throw new PlatformError("refused", `WeCom: ${textIn(answer, "errmsg") || `code ${code}`}`);
}

/** The text behind 16 random bytes and its length; the receiver's id follows it, and must be ours. */
function decrypted(aesKey: string, corpId: string, encrypted: string): string | null {
  try {
    const key = Buffer.from(`${aesKey}=`, "base64");
    const decipher = createDecipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(encrypted, "base64"), decipher.final()]);
    const plain = padded.subarray(0, padded.byteLength - (padded.at(-1) ?? 0));
    const length = plain.readUInt32BE(16);
    const text = plain.subarray(20, 20 + length).toString("utf8");
    return plain.subarray(20 + length).toString("utf8") === corpId ? text : null;
  } catch {
    return null;
  }
}

/** The members of a flat XML document. */
function membersOf(xml: string): Record<string, string> {
  const members: Record<string, string> = {};
  const names: string[] = [];
  const parser = new SaxesParser();
  const add = (text: string) => {
    const name = names.at(-1);
    if (names.length === 2 && name) members[name] = (members[name] ?? "") + text;
  };
  parser.on("opentag", ({ name }) => names.push(name));
  parser.on("closetag", () => names.pop());
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("error", () => {});
  parser.write(xml.slice(0, 1_000_000)).close();
  return members;
}

/** Plain words for a message without a text and a file. */
function wordsOfKind({ MsgType = "", Location_X = "", Location_Y = "", ...members }: Record<string, string>): string {
  const { Label = "", Title = "", Description = "", Url = "" } = members;
  if (MsgType === "location") return kindWords("location", Label, Location_X, Location_Y);
  if (MsgType === "link") return kindWords("link", Title, Description, Url);
  return MsgType === "text" || MsgType === "event" ? "" : unreadableWords("WeCom");
}

function eventOf(members: Record<string, string>, agentId: string): InboundEvent | null {
  const { MsgId = "", FromUserName: user = "", MsgType: type = "", Content = "", MediaId = "", AgentID = "", Recognition = "" } = members;
  if (!MsgId || !user || AgentID !== agentId) return null;
  const kind = type === "image" ? "image" : type === "voice" ? "audio" : type === "video" ? "video" : "file";
  const text = Content || Recognition || (MediaId === "" ? wordsOfKind(members) : "");
  if (text === "" && MediaId === "") return null;
  return {
    kind: "message",
    key: `message:${MsgId}`,
    place: "private",
    chat: user,
    messageRef: MsgId,
    sender: { id: user, name: "" },
    text,
    isMention: true,
    files: MediaId ? [{ ref: MediaId, name: type || "file", mediaType: null, bytes: null, kind }] : [],
  };
}
