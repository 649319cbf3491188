import { once } from "node:events";
import { connect } from "node:net";
import { requestBytes } from "./connection";

export type EventClient = { close: () => void };

/** Holds an event stream open and says when an event of a name has arrived, without looking at what it holds. */
export async function openEventStream(
  port: number,
  { path, headers, event, onEvent }: { path: string; headers: Record<string, string>; event: string; onEvent: () => void },
): Promise<EventClient> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const wanted = `event: ${event}\n`;
  let tail = "";
  let opened: (() => void) | null = null;
  const ready = new Promise<void>((resolve, reject) => {
    opened = resolve;
    socket.once("error", reject);
    socket.once("close", () => reject(new Error(`the event stream ${path} was closed before it began`)));
  });
  socket.on("data", (chunk: Buffer) => {
    const text = tail + chunk.toString("latin1");
    if (opened && text.includes("\r\n\r\n")) {
      if (!text.startsWith("HTTP/1.1 200")) socket.destroy(new Error(`an event stream was refused: ${text}`));
      opened();
      opened = null;
    }
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) onEvent();
    // A name that a chunk cut in two is completed by the next.
    tail = text.endsWith("\n") ? "" : text.slice(text.lastIndexOf("\n") + 1);
  });
  socket.write(requestBytes(port, { path, headers: { ...headers, accept: "text/event-stream" } }));
  await ready;
  return { close: () => socket.destroy() };
}
