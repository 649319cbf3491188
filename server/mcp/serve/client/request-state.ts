import "server-only";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import { derivedKey } from "@/server/platform/crypto";
import type { McpClient } from "./mcp-client";

/** State that a client of revision 2026-07-28 carries between the rounds of one call. */
export type CallState = {
  turnId: string;
  digest: string;
  round: number;
  /** The requests that the client was asked to answer: the id of each, by the name of the answer. */
  asked?: Record<string, string>;
};

/** State that a client carries while a prompt's server asks it something: the prompt, and the server's own state. */
export type PromptState = { prompt: string; state: string | null };

const keptSeconds = 86_400;

/** Signs the state of a request for this actor; the key is the same on every replica. */
export function stateCodec<T extends CallState | PromptState>({ actor }: McpClient): RequestStateCodec<T> {
  return createRequestStateCodec<T>({
    key: derivedKey("mcp-request-state"),
    ttlSeconds: keptSeconds,
    bind: () => `${actor.workspaceId} ${actor.id}`,
  });
}
