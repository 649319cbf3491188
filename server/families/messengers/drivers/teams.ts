import type { Json, JsonObject } from "@/contracts/common";
import type { ReceivedFile } from "@/db/schema";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, type PlatformRequest, readJson } from "../platform-http";
import { tokenKeeper } from "./access-token";
import type { Account, Driver, InboundEvent, SentPart, Target } from "./driver";
import { listIn, numberIn, objectIn, textIn } from "./read-members";
import { tokenCheck } from "./signed-tokens";

const usualKeys = "https://login.botframework.com/v1/.well-known/keys";
const usualLogin = "https://login.microsoftonline.com";
const issuer = "https://api.botframework.com";

/** A bot of the Bot Framework: activities with a signed token in, activities to the service's address out. */
export function teams(account: Account, http: PlatformHttp): Driver {
  const { clientSecret = "" } = account.secrets;
  const { appId = "", tenantId = "", loginUrl = usualLogin, keysUrl = usualKeys } = account.settings;
  const check = tokenCheck(http, keysUrl);
  const token = tokenKeeper(async () => {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: appId,
      client_secret: clientSecret,
      scope: `${issuer}/.default`,
    });
    const answer = await http.call(`${loginUrl.replace(/\/+$/, "")}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`, { form });
    return { token: textIn(answer, "access_token"), seconds: numberIn(answer, "expires_in") ?? 600 };
  });
  const call = async ({ chat, replyTo }: Target, path: string, request: PlatformRequest) => {
    const service = replyTo?.service?.replace(/\/+$/, "");
    if (!service) throw new PlatformError("refused", "Teams has not told the address of this chat yet.");
    const headers = { authorization: `Bearer ${await token()}` };
    return http.call(`${service}/v3/conversations/${encodeURIComponent(chat)}/activities${path}`, { ...request, headers });
  };
  return {
    async identify() {
      if ((await token()) === "") throw new PlatformError("refused", "Microsoft gives no access token. Check the app ID and the secret.");
      return { id: appId, name: account.name };
    },
    async receive({ headers, body }) {
      const claims = await check(headers.get("authorization"), { issuer, audience: appId });
      const activity = readJson(body) ?? {};
      // The address to which answers and our token go belongs to the signed claims.
      if (!claims || claims.serviceurl !== textIn(activity, "serviceUrl")) return null;
      const event = eventOf(activity, appId);
      return { events: event ? [event] : [] };
    },
    async post(target, part) {
      return textIn(await call(target, "", { json: activityOf(part) }), "id") || null;
    },
    async edit(target, messageRef, text) {
      await call(target, `/${encodeURIComponent(messageRef)}`, { method: "PUT", json: activityOf({ kind: "text", text }) });
    },
    async file(ref, maxBytes) {
      const host = URL.parse(ref)?.hostname ?? "";
      // The token must reach nobody but the service.
      const isService = /(^|\.)(trafficmanager\.net|botframework\.com)$/.test(host);
      const headers: Record<string, string> = isService ? { authorization: `Bearer ${await token()}` } : {};
      const { status, bytes } = await http.request(ref, { headers, maxBytes, timeoutMs: 60_000 });
      if (status !== 200) throw new PlatformError("refused", `Teams answered ${status} for the file.`);
      return bytes;
    },
    async typing(target) {
      await call(target, "", { json: { type: "typing" } });
    },
  };
}

const styles = { primary: "positive", danger: "destructive" } as const;

function activityOf(part: SentPart): JsonObject {
  if (part.kind === "file") return fileActivity(part);
  if (part.kind === "text" || part.buttons.length === 0) return { type: "message", textFormat: "markdown", text: part.text };
  const actions = part.buttons.map(({ label, value, style }) => ({
    type: "Action.Submit",
    title: label,
    data: { handrail: value },
    ...(style ? { style: styles[style] } : {}),
  }));
  const content = { type: "AdaptiveCard", version: "1.4", body: [{ type: "TextBlock", wrap: true, text: part.text }], actions };
  return { type: "message", attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }] };
}

/** An image inside of the message. Other files need the consent of a person in Teams, and are named only. */
function fileActivity({ name, mediaType, bytes, caption }: Extract<SentPart, { kind: "file" }>): JsonObject {
  if (!mediaType.startsWith("image/"))
    return { type: "message", textFormat: "markdown", text: `${name}: ${caption || "the file is in the console."}` };
  const contentUrl = `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
  return { type: "message", textFormat: "markdown", text: caption, attachments: [{ contentType: mediaType, contentUrl, name }] };
}

const offeredFile = "application/vnd.microsoft.teams.file.download.info";

/** Files come with an address that holds for some minutes and needs no token; images lie at the service, and need ours. */
function fileOf(attachment: Json): ReceivedFile[] {
  const type = textIn(attachment, "contentType");
  const name = textIn(attachment, "name");
  const offered = textIn(objectIn(attachment, "content"), "downloadUrl");
  if (type === offeredFile && offered) return [{ ref: offered, name: name || "file", mediaType: null, bytes: null, kind: "file" }];
  const at = textIn(attachment, "contentUrl");
  return type.startsWith("image/") && at ? [{ ref: at, name: name || "image", mediaType: type, bytes: null, kind: "image" }] : [];
}

/** Characters that are searched for a quote, which stands at the beginning. */
const maxHtmlChars = 20_000;

/** The message that a reply in a chat quotes, as an entity or in the HTML of older clients. */
function quotedIn(activity: JsonObject): string {
  const [entity] = listIn(activity, "entities").filter((one) => textIn(one, "type") === "quotedReply");
  const html = listIn(activity, "attachments").map((one) => (textIn(one, "contentType") === "text/html" ? textIn(one, "content") : ""));
  const quote = /<blockquote[^>]*schema\.skype\.com\/Reply[^>]*>/i.exec(html.join("").slice(0, maxHtmlChars))?.[0] ?? "";
  return textIn(objectIn(entity, "quotedReply"), "messageId") || (/itemid="(\d+)"/i.exec(quote)?.[1] ?? "");
}

function eventOf(activity: JsonObject, appId: string): InboundEvent | null {
  const conversation = objectIn(activity, "conversation");
  const from = objectIn(activity, "from");
  const [id, chat, user] = [textIn(activity, "id"), textIn(conversation, "id"), textIn(from, "aadObjectId") || textIn(from, "id")];
  if (textIn(activity, "type") !== "message" || !id || !chat || !user) return null;
  const value = textIn(objectIn(activity, "value"), "handrail");
  const isPrivate = textIn(conversation, "conversationType") === "personal";
  const bot = textIn(objectIn(activity, "recipient"), "id");
  const mentions = listIn(activity, "entities").filter((entity) => textIn(entity, "type") === "mention");
  const ofBot = mentions.filter((entity) => [bot, `28:${appId}`].includes(textIn(objectIn(entity, "mentioned"), "id")));
  const words = ofBot
    .reduce<string>((text, entity) => text.replaceAll(textIn(entity, "text") || "\0", ""), textIn(activity, "text"))
    .replaceAll(/<quoted messageId="[^"]*"\s*\/>/g, "")
    .trim();
  const files = listIn(activity, "attachments").flatMap(fileOf);
  if (!value && words === "" && files.length === 0) return null;
  return {
    kind: value ? "click" : "message",
    key: `${value ? "click" : "message"}:${chat}:${id}`,
    place: isPrivate ? "private" : chat.includes(";messageid=") ? "thread" : "group",
    chat,
    title: textIn(conversation, "name") || null,
    replyTo: { service: textIn(activity, "serviceUrl") },
    messageRef: value ? textIn(activity, "replyToId") || null : id,
    sender: { id: user, name: textIn(from, "name") || user },
    text: value || words,
    isMention: isPrivate || ofBot.length > 0,
    // A reply in a channel names the first message of its thread.
    repliesTo: quotedIn(activity) || textIn(activity, "replyToId"),
    files: value ? [] : files,
  };
}
