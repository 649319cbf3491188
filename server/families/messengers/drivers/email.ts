import "server-only";
import { randomUUID } from "node:crypto";
import type { ImapFlow } from "imapflow";
import { LRUCache } from "lru-cache";
import PostalMime, { type Email } from "postal-mime";
import { findMailServer, judgeMailError, sendMail } from "@/server/capabilities/network/mail-server";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { messengerAllowPrivate } from "../environment";
import { PlatformError } from "../platform-error";
import { renderText } from "../text/text-styles";
import type { Account, ConnectionSink, Driver, InboundEvent, SentPart, Target } from "./driver";

const maxMailBytes = 35 * 1_048_576;
/** IDLE ends after so long at the latest, because servers forget silent clients. */
const idleMs = 5 * 60_000;

/** A mailbox of the agent: IMAP with IDLE in, SMTP out. A conversation is a thread of mails with one person. */
export function email(account: Account): Driver {
  const { settings, secrets } = account;
  const { address = "" } = settings;
  const auth = { user: settings.user ?? address, pass: secrets.password ?? "" };
  const files: KeptFiles = new LRUCache({ max: 20, maxSize: maxMailBytes, sizeCalculation: ({ byteLength }) => byteLength + 1 });
  const mailbox = { address, confirmedBy: settings.authserv?.trim().toLowerCase() ?? "" };
  return {
    async identify(signal) {
      const client = await openImap(settings.imapHost ?? "", auth, signal);
      await client.logout();
      return { id: address.toLowerCase(), name: address };
    },
    connect: (sink) => readInbox(settings.imapHost ?? "", auth, mailbox, sink, files),
    post: (target, part) => send({ host: settings.smtpHost ?? "", auth, address }, target, part),
    async file(ref) {
      const bytes = files.get(ref);
      files.delete(ref);
      if (bytes) return bytes;
      const [uid = "", place = ""] = ref.split(" ");
      const client = await openImap(settings.imapHost ?? "", auth, AbortSignal.timeout(60_000));
      try {
        await client.mailboxOpen("INBOX", { readOnly: true });
        const message = await client.fetchOne(uid, { source: true }, { uid: true });
        const source = message ? message.source : undefined;
        const content = source ? (await PostalMime.parse(source)).attachments[Number(place)]?.content : undefined;
        if (!content) throw new PlatformError("refused", "The mail is not in the inbox any more.");
        return typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
      } finally {
        await client.logout().catch(() => {});
      }
    },
  };
}

type Auth = { user: string; pass: string };
/** The agent's address, and the name by which its mail server confirms senders; empty for any name. */
type Mailbox = { address: string; confirmedBy: string };
/** Attachments until their messages are taken, so that most are fetched once. Those that are not there any more are fetched again. */
type KeptFiles = Pick<Map<string, Uint8Array>, "get" | "delete"> & { set: (ref: string, bytes: Uint8Array) => unknown };

/** @throws PlatformError for another form, or an address in a private network */
const serverOf = (text: string, usualPort: number): Promise<{ host: string; port: number }> =>
  findMailServer(text, usualPort, messengerAllowPrivate.value()).catch((error: unknown) => {
    throw new PlatformError("refused", toErrorMessage(error));
  });

async function openImap(server: string, auth: Auth, signal: AbortSignal): Promise<ImapFlow> {
  const { ImapFlow } = await import("imapflow");
  const { host, port } = await serverOf(server, 993);
  const client = new ImapFlow({
    host,
    port,
    secure: port === 993,
    auth,
    logger: false,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    maxIdleTime: idleMs,
  });
  // Without a listener an error after the connection ends the process.
  client.on("error", () => {});
  signal.addEventListener("abort", () => client.close(), { once: true });
  await client.connect().catch((error: unknown) => {
    const said = error instanceof Error && "responseText" in error ? String(error.responseText) : toErrorMessage(error);
    throw new PlatformError("refused", `IMAP: ${said.replaceAll(auth.pass, "…")}`);
  });
  return client;
}

/** Stores each new mail, and the place behind it. Mails that were there before the first connection are not answered. */
async function readInbox(server: string, auth: Auth, mailbox: Mailbox, sink: ConnectionSink, files: KeptFiles): Promise<void> {
  const client = await openImap(server, auth, sink.signal);
  try {
    const box = await client.mailboxOpen("INBOX");
    const validity = String(box.uidValidity);
    const [keptValidity, keptUid] = (sink.cursor ?? "").split(":");
    let last = keptValidity === validity ? Number(keptUid) : box.uidNext - 1;
    if (keptValidity !== validity) await sink.store([], `${validity}:${last}`);
    sink.opened();
    let wake = () => {};
    client.on("exists", () => wake());
    client.on("close", () => wake());
    while (!sink.signal.aborted && client.usable) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found: { uid: number; bytes: number }[] = [];
      for await (const { uid, size } of client.fetch(`${last + 1}:*`, { uid: true, size: true }, { uid: true }))
        if (uid > last) found.push({ uid, bytes: size ?? 0 });
      for (const { uid, bytes } of found) {
        const isTooLarge = bytes > maxMailBytes;
        const message = await client.fetchOne(String(uid), isTooLarge ? { headers: true } : { source: true }, { uid: true });
        const source = message ? (isTooLarge ? message.headers : message.source) : undefined;
        // A mail that no parser reads must not keep the later ones away.
        const read = await (source ? eventOf(source, uid, mailbox, files) : null)?.catch((error: unknown) => {
          log().warn({ err: error, messenger: mailbox.address, uid }, "a mail could not be read and was left out");
          return null;
        });
        const event = read && isTooLarge ? { ...read, refusal: tooLarge(bytes) } : read;
        last = Math.max(last, uid);
        await sink.store(event ? [event] : [], `${validity}:${last}`);
      }
      if (found.length > 0) continue;
      const idle = client.idle().catch(() => false);
      await Promise.race([woken, idle]);
    }
  } finally {
    client.close();
  }
}

const tooLarge = (bytes: number): string =>
  `Your mail has ${Math.ceil(bytes / 1_048_576)} MB and was not read, because only mails up to ${maxMailBytes / 1_048_576} MB are. Send its files one by one, or a link.`;

/** Reads a mail; null for those that no person wrote, so that two machines never answer each other. */
export async function eventOf(source: Uint8Array, uid: number, mailbox: Mailbox, files: KeptFiles): Promise<InboundEvent | null> {
  const mail = await PostalMime.parse(source);
  const from = mail.from?.address?.toLowerCase() ?? "";
  if (!from.includes("@") || from === mailbox.address.toLowerCase() || isAutomatic(mail, from)) return null;
  const root = rootOf(mail);
  const attached = mail.attachments.map(({ content, filename, mimeType, disposition }, place) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
    const ref = `${uid} ${place}`;
    if (disposition !== "inline" || !mimeType.startsWith("image/")) files.set(ref, bytes);
    const kind = mimeType.startsWith("image/")
      ? ("image" as const)
      : mimeType.startsWith("audio/")
        ? ("audio" as const)
        : ("file" as const);
    return { ref, name: filename ?? `attachment-${place + 1}`, mediaType: mimeType, bytes: bytes.byteLength, kind };
  });
  const subject = mail.subject?.trim() ?? "";
  const words = withoutQuote(mail.text ?? textOfHtml(mail.html ?? ""));
  return {
    kind: "message",
    key: `message:${mail.messageId ?? `uid-${uid}`}`,
    place: "private",
    chat: from,
    thread: root,
    title: subject || null,
    replyTo: {
      subject,
      message: mail.messageId ?? "",
      references: [mail.references, mail.messageId].filter(Boolean).join(" ").slice(-4_000),
    },
    messageRef: mail.messageId ?? null,
    sender: { id: from, name: mail.from?.name || from, email: from },
    text: isFirst(mail) && subject && !/^[/批拒]/.test(words) ? `Subject: ${subject}\n\n${words}` : words,
    isMention: true,
    isVerified: isConfirmed(mail, from, mailbox.confirmedBy),
    files: attached,
  };
}

const headerOf = ({ headers }: Email, name: string): string => headers.find(({ key }) => key === name)?.value ?? "";

function isAutomatic(mail: Email, from: string): boolean {
  const submitted = headerOf(mail, "auto-submitted").toLowerCase();
  if (submitted !== "" && submitted !== "no") return true;
  if (/bulk|list|junk|auto_reply/i.test(headerOf(mail, "precedence"))) return true;
  return headerOf(mail, "list-id") !== "" || headerOf(mail, "x-autoreply") !== "" || /^(mailer-daemon|postmaster|no-?reply)@/.test(from);
}

/** The first mail of the thread: the same for all its mails. */
const rootOf = (mail: Email): string =>
  (mail.references?.trim().split(/\s+/)[0] || mail.inReplyTo?.trim() || mail.messageId || "").slice(0, 500);
const isFirst = (mail: Email): boolean => !mail.inReplyTo && !mail.references;

/**
 * Returns true when our mail server confirms the sender: DMARC passed for the address's own domain. Only the first header counts, because the
 * server writes its own above those that came with the mail; and only its clause of DMARC, because others repeat what the sender wrote.
 */
function isConfirmed(mail: Email, from: string, confirmedBy: string): boolean {
  const written = headerOf(mail, "authentication-results").toLowerCase();
  const [server = "", ...clauses] = written
    .replace(/"(?:[^"\\]|\\.)*"|\([^()]*\)/g, " ")
    .split(";")
    .map((clause) => clause.trim());
  if (confirmedBy !== "" && server.split(/\s/)[0] !== confirmedBy) return false;
  const [dmarc, ...others] = clauses.filter((clause) => /^dmarc\s*=/.test(clause));
  if (dmarc === undefined || others.length > 0) return false;
  const [result, ...details] = dmarc.replace(/\s*=\s*/g, "=").split(/\s+/);
  const named = details.find((detail) => detail.startsWith("header.from="))?.slice("header.from=".length);
  return result === "dmarc=pass" && (named === undefined || named === from.split("@")[1]);
}

/** The words that are new: without the quoted mail below them. */
function withoutQuote(text: string): string {
  const lines = text.replaceAll("\r", "").split("\n");
  const end = lines.findIndex(
    (line, index) =>
      /^(On .{5,200} wrote:|Am .{5,200} schrieb.*:|-{2,}\s*Original Message\s*-{2,}|_{20,})\s*$/.test(line) ||
      (/^>/.test(line) && lines.slice(index).every((rest) => rest === "" || rest.startsWith(">"))),
  );
  const own = (end < 0 ? lines : lines.slice(0, end)).join("\n").trim();
  return own || text.trim();
}

const textOfHtml = (html: string): string =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, "")
    .replace(/<(br|\/p|\/div|\/li)[^>]*>/gi, "\n")
    .replace(/<[^>]+>/g, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

type Sender = { host: string; auth: Auth; address: string };

async function send({ host, auth, address }: Sender, { chat, replyTo }: Target, part: SentPart): Promise<string> {
  const subject = replyTo?.subject ? (/^re:/i.test(replyTo.subject) ? replyTo.subject : `Re: ${replyTo.subject}`) : "Answer";
  const messageId = `<${randomUUID()}@${address.split("@")[1] ?? "localhost"}>`;
  const words = part.kind === "file" ? part.caption : renderText(part.text, "plain");
  const attachments = part.kind === "file" ? [{ filename: part.name, contentType: part.mediaType, content: Buffer.from(part.bytes) }] : [];
  try {
    await sendMail(
      { server: host, auth, allowPrivate: messengerAllowPrivate.value() },
      {
        from: address,
        to: chat,
        subject,
        text: words,
        attachments,
        messageId,
        ...(replyTo?.message ? { inReplyTo: replyTo.message, references: replyTo.references ?? replyTo.message } : {}),
        headers: { "Auto-Submitted": "auto-replied" },
      },
    );
    return messageId;
  } catch (error) {
    throw mailFailure(error, auth.pass);
  }
}

export function mailFailure(error: unknown, password: string): PlatformError {
  const { failure, message } = judgeMailError(error, password);
  return new PlatformError(failure, message, failure === "rate" ? { retryAfterMs: 60_000 } : {});
}
