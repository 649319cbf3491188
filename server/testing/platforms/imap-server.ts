import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export type ImapServer = {
  port: number;
  deliver: (mail: string) => void;
  /** Bytes of mails that clients have fetched. */
  fetchedBytes: () => number;
  close: () => Promise<void>;
};

/** A small IMAP server with one inbox: what a client needs to log in, fetch by UID and wait with IDLE. */
export async function startImapServer(): Promise<ImapServer> {
  const mails: Buffer[] = [];
  let fetched = 0;
  const idle = new Map<Socket, string>();
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => {
      open.delete(socket);
      idle.delete(socket);
    });
    const say = (line: string | Buffer) => socket.write(typeof line === "string" ? `${line}\r\n` : line);
    let buffer = "";
    say("* OK IMAP ready");
    socket.on("error", () => {});
    socket.on("data", (data) => {
      buffer += data.toString("latin1");
      for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        answer(line);
      }
    });
    function answer(line: string): void {
      if (line.toUpperCase() === "DONE") {
        say(`${idle.get(socket)} OK IDLE ended`);
        idle.delete(socket);
        return;
      }
      const [tag = "", word = "", ...rest] = line.split(" ");
      const command = word.toUpperCase();
      if (command === "IDLE") {
        idle.set(socket, tag);
        return void say("+ idling");
      }
      if (command === "CAPABILITY") say("* CAPABILITY IMAP4rev1 IDLE UIDPLUS");
      if (command === "LOGIN" && !rest.join(" ").includes("right")) return void say(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials`);
      if (command === "SELECT" || command === "EXAMINE") {
        say("* FLAGS (\\Seen)");
        say(`* ${mails.length} EXISTS`);
        say("* 0 RECENT");
        say("* OK [UIDVALIDITY 7] valid");
        say(`* OK [UIDNEXT ${mails.length + 1}] next`);
      }
      if (command === "UID" && rest[0]?.toUpperCase() === "FETCH") fetch(rest[1] ?? "", rest.slice(2).join(" "));
      if (command === "LOGOUT") say("* BYE");
      say(`${tag} OK ${command} completed`);
      if (command === "LOGOUT") socket.end();
    }
    function fetch(range: string, items: string): void {
      const [first = "1", last = first] = range.split(":");
      const end = last === "*" ? mails.length : Number(last);
      // A range that begins behind the last mail names the last one.
      for (let uid = Math.min(Number(first), last === "*" ? mails.length : Number(first)); uid <= end; uid += 1) {
        const mail = mails[uid - 1];
        if (!mail) continue;
        if (!/BODY/i.test(items)) say(`* ${uid} FETCH (UID ${uid} RFC822.SIZE ${mail.byteLength})`);
        else {
          const isHeader = /BODY(\.PEEK)?\[HEADER\]/i.test(items);
          const part = isHeader ? mail.subarray(0, mail.indexOf("\r\n\r\n") + 4) : mail;
          fetched += part.byteLength;
          say(`* ${uid} FETCH (UID ${uid} BODY[${isHeader ? "HEADER" : ""}] {${part.byteLength}}`);
          socket.write(part);
          say(")");
        }
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    fetchedBytes: () => fetched,
    deliver: (mail) => {
      mails.push(Buffer.from(mail.replaceAll("\n", "\r\n")));
      for (const socket of idle.keys()) socket.write(`* ${mails.length} EXISTS\r\n`);
    },
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
