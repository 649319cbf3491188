import "server-only";
import { lookup } from "node:dns/promises";
import { WebSocket } from "undici";
import { isPublicAddress } from "@/server/capabilities/public-address";
import { messengerAllowPrivate } from "../environment";
import { PlatformError } from "../platform-error";

export type Socket = {
  send: (data: string | Uint8Array) => void;
  /** The texts that the platform sends, in order; ends when the connection does. @throws PlatformError */
  messages: () => AsyncGenerator<string>;
  /** The same for platforms that send bytes. */
  frames: () => AsyncGenerator<Uint8Array>;
  close: () => void;
};

const openMs = 20_000;

/**
 * Opens a WebSocket to a platform. Its address comes from the platform, so an address in a private network is refused.
 * @param silentMs the connection counts as dead after so many milliseconds without a message
 */
export async function openSocket(address: string, { signal, silentMs }: { signal: AbortSignal; silentMs: number }): Promise<Socket> {
  const url = URL.parse(address);
  if (!url || (url.protocol !== "wss:" && !messengerAllowPrivate.value()))
    throw new PlatformError("refused", "The platform names no wss address.");
  if (!messengerAllowPrivate.value()) {
    const { address: ip } = await lookup(url.hostname.replace(/^\[|\]$/g, ""));
    if (!isPublicAddress(ip)) throw new PlatformError("refused", `${url.hostname} is a private or local address.`);
  }
  if (signal.aborted) throw new PlatformError("unsent", "The connection was ended.");
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  const waiting: (string | Uint8Array)[] = [];
  let wake = () => {};
  let end: PlatformError | null = null;
  const finish = (error: PlatformError) => {
    end ??= error;
    wake();
  };
  socket.addEventListener("message", ({ data }: { data: unknown }) => {
    if (typeof data === "string") waiting.push(data);
    if (data instanceof ArrayBuffer) waiting.push(new Uint8Array(data));
    wake();
  });
  socket.addEventListener("close", ({ code }: { code: number }) =>
    finish(new PlatformError("unsent", `The platform closed the connection (${code}).`)),
  );
  socket.addEventListener("error", () => finish(new PlatformError("unsent", "The connection to the platform broke.")));
  const onAbort = () => {
    socket.close();
    finish(new PlatformError("unsent", "The connection was ended."));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => finish(new PlatformError("unsent", "The platform did not open the connection in time.")), openMs);
    const settle = () => {
      clearTimeout(timer);
      if (end) reject(end);
      else resolve();
    };
    wake = settle;
    socket.addEventListener("open", settle);
  }).catch((error: unknown) => {
    // It may open later all the same, and take what nobody acknowledges.
    signal.removeEventListener("abort", onAbort);
    socket.close();
    throw error;
  });
  return {
    send: (data) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    close: onAbort,
    async *messages() {
      for await (const sent of received()) if (typeof sent === "string") yield sent;
    },
    async *frames() {
      for await (const sent of received()) if (typeof sent !== "string") yield sent;
    },
  };

  async function* received(): AsyncGenerator<string | Uint8Array> {
    try {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) {
          yield next;
          continue;
        }
        if (end) throw end;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => finish(new PlatformError("unsent", "The platform was silent for too long.")), silentMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      socket.close();
    }
  }
}
