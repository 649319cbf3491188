import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Dialect } from "@/contracts/coding-agents";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { codingAgentAnswers } from "@/server/families/coding-agents/endpoints";
import { fastLane } from "@/server/http/fast-lane";
import { toRoutes } from "@/server/http/routes";
import { authorize } from "./builders";
import type { CodingStage } from "./coding-stage";

/**
 * Handrail's address for coding agents over real HTTP, and a key for it, until the test ends.
 * @param at port; any free one when absent
 */
export async function codingHttp(stage: CodingStage, at = 0) {
  const isAnswered = fastLane(toRoutes(codingAgentAnswers));
  const server = createServer((request, response) => {
    if (!isAnswered(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const { id: keyId, key } = await createApiKey(authorize(stage.built.admin, "admin"), { name: "Ada's laptop", scopes: ["guard:ask"] });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  /** Sends a hook of a client as the client does. */
  const hook = (client: Dialect, body: object, query = "", signal?: AbortSignal) =>
    fetch(`${origin}/agent-hooks/${client}${query}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  return { origin, port, keyId, key, hook, stop };
}
