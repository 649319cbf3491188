import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedDelivery = { headers: IncomingHttpHeaders; body: string };

export type WebhookReceiver = {
  url: string;
  received: ReceivedDelivery[];
  /** The answers to the next deliveries. */
  answerWith: (status: number, text?: string) => void;
  close: () => Promise<void>;
};

/** A program on this machine that takes webhooks. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  let answer = { status: 204, text: "" };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      response.writeHead(answer.status).end(answer.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/handrail`,
    received,
    answerWith: (status, text = "") => {
      answer = { status, text };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Checks a signature as docs/operating/webhooks.md tells receivers to. */
export function isSigned({ headers, body }: ReceivedDelivery, secret: string): boolean {
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["handrail-signature"])) ?? [];
  return signature !== undefined && createHmac("sha256", secret).update(`${time}.${body}`).digest("hex") === signature;
}
