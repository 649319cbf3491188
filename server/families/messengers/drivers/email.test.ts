import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { startImapServer } from "@/server/testing/platforms/imap-server";
import type { InboundEvent } from "./driver";
import { email, eventOf } from "./email";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";

const mail = (headers: string, text = "Hello") =>
  `From: Ada <Ada@Example.com>\nTo: bot@handrail.test\nSubject: Report\nMessage-ID: <m1@example.com>\n${headers}\n\n${text}\n`;
const read = (source: string, confirmedBy = "") =>
  eventOf(Buffer.from(source), 1, { address: "bot@handrail.test", confirmedBy }, new Map());
const account = (port: number, smtp = 1, password = "right") => ({
  ...{ id: "m", workspaceId: "w", name: "Mail", bot: null, secrets: { password } },
  settings: { address: "bot@handrail.test", imapHost: `127.0.0.1:${port}`, smtpHost: `127.0.0.1:${smtp}` },
});

test("a mail is read as a message of its thread, and its sender counts only with the mail server's word", async () => {
  expect(await read(mail("Content-Type: text/plain"))).toMatchObject({
    key: "message:<m1@example.com>",
    chat: "ada@example.com",
    thread: "<m1@example.com>",
    text: "Subject: Report\n\nHello",
    isVerified: false,
  });
  const passed = "Authentication-Results: mx.handrail.test; dmarc=pass header.from=example.com";
  const reply = await read(
    mail(
      `${passed}\nIn-Reply-To: <a@handrail.test>\nReferences: <root@x> <a@handrail.test>`,
      "/approve abc123\n\nOn Monday Bot wrote:\n> Approve?",
    ),
  );
  expect(reply).toMatchObject({ isVerified: true, thread: "<root@x>", text: "/approve abc123" });
  const forged = `Authentication-Results: mx.handrail.test; dmarc=fail header.from=example.com\n${passed}`;
  expect((await read(mail(forged)))?.isVerified).toBe(false);
});

test.each([
  "mx.handrail.test; spf=pass smtp.mailfrom=dmarc=pass@evil.com; dmarc=fail header.from=example.com",
  'mx.handrail.test; spf=fail reason="x; dmarc=pass header.from=example.com"; dmarc=none',
  "mx.handrail.test; spf=pass (dmarc=pass header.from=example.com)",
  "mx.handrail.test; dmarc=pass header.from=example.com; dmarc=fail header.from=example.com",
  "mx.handrail.test; dmarc=pass header.from=evil.com",
  "mx.evil.com; dmarc=pass header.from=example.com",
])("a sender is not confirmed by words that look like it: %s", async (result) => {
  expect((await read(mail(`Authentication-Results: ${result}`), "mx.handrail.test"))?.isVerified).toBe(false);
});

test("a sender is confirmed by the named server, with comments and a policy beside the result", async () => {
  const result = "mx.handrail.test 1; spf=pass smtp.mailfrom=example.com; dmarc=pass (p=REJECT sp=REJECT) header.from=example.com";
  expect((await read(mail(`Authentication-Results: ${result}`), "mx.handrail.test"))?.isVerified).toBe(true);
});

test.each(["Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <list.example.com>", "X-AutoReply: yes"])(
  "a machine's mail with %s is not answered",
  async (header) => {
    expect(await read(mail(header))).toBeNull();
  },
);

test("new mails come over IMAP, each stored with the place behind it, and a wrong password is told without it", async () => {
  const imap = await startImapServer();
  onTestFinished(imap.close);
  imap.deliver(mail("X-Old: yes"));
  const driver = email(account(imap.port));
  expect(await driver.identify(AbortSignal.timeout(10_000))).toEqual({ id: "bot@handrail.test", name: "bot@handrail.test" });
  const stored: { events: readonly InboundEvent[]; cursor: string | undefined }[] = [];
  const stop = new AbortController();
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  const store = async (events: readonly InboundEvent[], cursor?: string) => void stored.push({ events, cursor });
  const connection = driver.connect?.({ cursor: null, signal: stop.signal, opened: resolve, store });
  await opened;
  imap.deliver(mail("X-New: yes", "New one").replace("m1@", "m2@"));
  await expect.poll(() => stored.at(-1)?.cursor).toBe("7:2");
  expect(stored.map(({ events }) => events.map(({ key }) => key))).toEqual([[], ["message:<m2@example.com>"]]);
  stop.abort();
  await connection?.catch(() => {});
  await expect(email(account(imap.port, 1, "wrong-one")).identify(AbortSignal.timeout(10_000))).rejects.toThrow(/IMAP: (?!.*wrong-one)/);
});

test("an answer goes out over SMTP into the thread, with its file", async () => {
  const received: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: (_auth, _session, done) => done(null, { user: "bot" }),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const driver = email(account(1, (server.server.address() as AddressInfo).port));
  const target = {
    kind: "private" as const,
    chat: "ada@example.com",
    thread: "<m1@example.com>",
    replyTo: { subject: "Report", message: "<m1@example.com>", references: "<m1@example.com>" },
  };
  const id = await driver.post(
    target,
    { kind: "file", name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("hello"), caption: "Here", as: "file" },
    "k",
  );
  const sent = await PostalMime.parse(received[0] ?? "");
  expect(sent).toMatchObject({ subject: "Re: Report", messageId: id, inReplyTo: "<m1@example.com>", attachments: [{ filename: "a.txt" }] });
  await expect(email(account(1, 1)).post(target, { kind: "text", text: "x" }, "k")).rejects.toMatchObject({ failure: "unsent" });
});
