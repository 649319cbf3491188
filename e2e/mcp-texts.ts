import { randomUUID } from "node:crypto";
import { identityEndpoints } from "@/contracts/identity/identity";
import type { Callers } from "./fixtures";

/** Returns the texts of a tool's result, a line each. */
export function textOf(result: object): string {
  const blocks = "content" in result && Array.isArray(result.content) ? (result.content as { type: string; text?: string }[]) : [];
  return blocks.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");
}

/** Creates a key of its own, because clients without a session share their key's conversation. */
export async function newMcpKey(api: Callers): Promise<string> {
  const body = { name: `mcp ${randomUUID()}`, scopes: ["turns:write" as const, "tools:read" as const] };
  return (await api.admin.call(identityEndpoints.createApiKey, { body })).key;
}

/** Names a hook of Git, whose writing asks a person, because Git runs it by itself. */
export const newHook = (): string => `.git/hooks/${randomUUID()}`;

/** Finds the id by which `get_result` returns a call's result in the words that a model reads. */
export function pendingId(words: string): string {
  const id = /get_result with id "([0-9a-f-]{36})"/.exec(words)?.[1];
  if (!id) throw new Error(`No call waits: ${words}`);
  return id;
}
