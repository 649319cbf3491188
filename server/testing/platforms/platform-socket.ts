import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import type { JsonObject } from "@/contracts/common";

/** A WebSocket server of a platform, until the test ends. */
export async function startSocket(greet: (send: (frame: JsonObject) => void, frame: JsonObject | null) => void) {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  const sends = new Set<(frame: JsonObject) => void>();
  sockets.on("connection", (socket) => {
    const send = (frame: JsonObject) => socket.send(JSON.stringify(frame));
    sends.add(send);
    socket.on("close", () => sends.delete(send));
    socket.on("message", (data) => greet(send, JSON.parse(String(data)) as JsonObject));
    greet(send, null);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    http.close();
  });
  const push = (frame: JsonObject) => {
    for (const send of sends) send(frame);
  };
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`, push };
}
