import "server-only";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import { derivedKey } from "@/server/platform/crypto";
import type { McpClient } from "../client/mcp-client";

/** State that a client of revision 2026-07-28 carries between the rounds of one call. */
export type CallState = { turnId: string; digest: string; round: number };

const keptSeconds = 86_400;

/** Signs the state of a call for this actor; the key is the same on every replica. */
export function callStateCodec({ actor }: McpClient): RequestStateCodec<CallState> {
  return createRequestStateCodec<CallState>({
    key: derivedKey("mcp-request-state"),
    ttlSeconds: keptSeconds,
    bind: () => `${actor.workspaceId} ${actor.id}`,
  });
}
