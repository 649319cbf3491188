import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { onTestFinished } from "vitest";
import { guardConfig } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";

export type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

/** Starts a real HTTP API for HTTP tools until the test ends; `answer` decides each request by its index, from 0. */
export async function httpApi(answer: (request: ReceivedRequest, response: ServerResponse, place: number) => void) {
  const received: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      received.push(request);
      answer(request, response, received.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, received };
}

/** Allows private hosts to a workspace's calls, as an admin does. */
export async function allowHost(workspaceId: string, ...hosts: string[]): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.update(guardConfig).set({ allowedHosts: hosts }).where(eq(guardConfig.workspaceId, workspaceId));
    await bumpConfigVersion(tx, workspaceId);
  });
}
