import type { Dialect } from "@/contracts/agents/coding-agents";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { codingAgentAnswers } from "@/server/families/coding-agents/endpoints";
import { authorize } from "../builders";
import { serveAnswers } from "../serve-answers";
import type { CodingStage } from "./coding-stage";

/**
 * Handrail's address for coding agents over real HTTP, and a key for it, until the test ends.
 * @param at port; any free one when absent
 */
export async function codingHttp(stage: CodingStage, at = 0) {
  const { origin, port, stop } = await serveAnswers(codingAgentAnswers, at);
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
