import "server-only";
import { lookup } from "node:dns/promises";
import type { SendMailOptions } from "nodemailer";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { isPublicAddress } from "../public-address";

export type MailServer = {
  /** Host and port. */
  server: string;
  auth: { user: string; pass: string } | null;
  /** Servers in private networks may be used, and without a certificate of their own. */
  allowPrivate: boolean;
};

/** Reads `host:port`. @throws AppError `invalid` for another form; `forbidden` for an address in a private network */
export async function findMailServer(text: string, usualPort: number, allowPrivate: boolean): Promise<{ host: string; port: number }> {
  const [, host = "", port = ""] = /^([\w.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (!host) {
    throw new AppError("invalid", `${text || "The server"} is no host with a port, such as mail.example.com:${usualPort}.`);
  }
  if (!allowPrivate) {
    const { address } = await lookup(host.replace(/^\[|\]$/g, ""));
    if (!isPublicAddress(address)) throw new AppError("forbidden", `${host} is a private or local address.`);
  }
  return { host, port: Number(port || usualPort) };
}

const connectMs = 20_000;

/** Hands a mail to an SMTP server. Throws the library's error; `judgeMailError` explains it. */
export async function sendMail({ server, auth, allowPrivate }: MailServer, mail: SendMailOptions): Promise<void> {
  const { host, port } = await findMailServer(server, 465, allowPrivate);
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    ...{ host, port, secure: port === 465, requireTLS: port !== 465 && !allowPrivate },
    ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: 60_000, disableFileAccess: true, disableUrlAccess: true },
    ...(auth ? { auth } : {}),
    // A server without a certificate of its own is one of the private network.
    ...(allowPrivate ? { tls: { rejectUnauthorized: false } } : {}),
  });
  try {
    await transport.sendMail(mail);
  } finally {
    transport.close();
  }
}

/** `unsent`: the mail was not handed over. `unknown`: it may have been. */
export type MailFailure = { failure: "refused" | "rate" | "unsent" | "unknown"; message: string };

/** A refusal of the server's, and a failure before the mail was handed over, are known; anything else is not. */
export function judgeMailError(error: unknown, password: string): MailFailure {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  const message = `SMTP: ${toErrorMessage(error).replaceAll(password || "\0", "…")}`;
  if (error instanceof AppError) return { failure: "refused", message };
  if (responseCode && responseCode >= 500) return { failure: "refused", message };
  if (responseCode && responseCode >= 400) return { failure: "rate", message };
  const isBefore =
    ["CONN", "EHLO", "STARTTLS", "AUTH"].some((step) => command?.startsWith(step)) ||
    ["ECONNECTION", "EDNS", "ETLS", "EAUTH", "ENOTFOUND"].includes(code ?? "");
  return { failure: isBefore ? "unsent" : "unknown", message };
}
