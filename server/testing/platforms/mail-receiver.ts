import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** An SMTP server that keeps what it takes. `refusals` are the next answers to the words of a mail. */
export async function startMailReceiver() {
  const mails: Email[] = [];
  const refusals: { responseCode: number; message: string }[] = [];
  /** Called when a mail has come, before the server says so. */
  const meanwhile: { call: () => Promise<void> | void } = { call: () => {} };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ password }, _session, done) => (password === "right" ? done(null, { user: "handrail" }) : done(new Error("Wrong password"))),
    onData: (stream, _session, done) => {
      void buffer(stream).then(async (source) => {
        const refusal = refusals.shift();
        if (refusal) return done(Object.assign(new Error(refusal.message), refusal));
        mails.push(await PostalMime.parse(source));
        await meanwhile.call();
        done();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, mails, refusals, meanwhile, close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

export type MailReceiver = Awaited<ReturnType<typeof startMailReceiver>>;
