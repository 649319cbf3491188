import { once } from "node:events";
import net from "node:net";
import { afterAll } from "vitest";

export type SeverableDatabase = {
  /** Ends every connection to the database, and refuses new ones. */
  sever: () => void;
  /** Allows connections again. */
  restore: () => void;
};

/** Puts a TCP proxy in front of the test file's database, so that a test can cut the connection. Call it after `useStage`. */
export async function useSeverableDatabase(): Promise<SeverableDatabase> {
  const sockets = new Set<net.Socket>();
  let isSevered = false;
  const target = new URL(process.env.DATABASE_URL ?? "");
  const proxy = net.createServer((client) => {
    if (isSevered) return client.destroy();
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as net.AddressInfo;
  process.env.DATABASE_URL = Object.assign(new URL(target), { hostname: "127.0.0.1", port: String(port) }).href;
  afterAll(() => {
    proxy.close();
  });
  return {
    sever() {
      isSevered = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      isSevered = false;
    },
  };
}
