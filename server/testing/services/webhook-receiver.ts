import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type ReceivedDelivery = { headers: IncomingHttpHeaders; body: string };
type Answer = (response: ServerResponse, place: number) => void;

/** Starts a real HTTP server that takes deliveries until the test ends; `answer` decides each by its index, from 0. */
export async function webhookReceiver(
  answer: Answer = (response) => response.writeHead(204).end(),
): Promise<{ url: string; received: ReceivedDelivery[]; openConnections: () => Promise<number> }> {
  const received: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      answer(response, received.length - 1);
    });
    response.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    openConnections: () =>
      new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count)))),
  };
}
