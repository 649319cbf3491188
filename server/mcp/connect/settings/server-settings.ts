import "server-only";
import type { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import type { mcpServers } from "@/db/schema";
import { seal, unseal } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import type { Expectations } from "./check-expectations";
import type { SecretValues } from "./secret-values";

export type McpServerRow = typeof mcpServers.$inferSelect;

/** A server's settings for a connection, with the secrets opened and the references not yet filled in. */
export type ServerSettings = {
  /** Null for settings that are tested and not saved. */
  id: string | null;
  alias: string;
  command: string | null;
  args: readonly string[];
  env: SecretValues;
  cwd: string | null;
  network: McpServerDraft["network"];
  allowedHosts: readonly string[];
  readablePaths?: readonly string[];
  outsideSandbox?: boolean;
  url: string | null;
  headers: SecretValues;
  transport: McpServerDraft["transport"];
  connectTimeoutSeconds: number;
  /** Absent for settings that are tested and not saved. */
  workspaceId?: string;
  allowSampling?: boolean;
  questions?: McpServerDraft["questions"];
  /** The person whose sign-in the connection carries; absent: the workspace's. */
  person?: { id: string; name: string } | null;
  /** The program gets a folder of its own, which is removed when it ends, because its session belongs to one conversation or user. */
  isIsolated?: boolean;
} & Expectations;

/** The columns of sealed settings. `args` and `url` count only in rows that are older than the sealed columns. */
export type SealedColumns = Pick<McpServerRow, "argsSealed" | "args" | "envSealed" | "urlSealed" | "url" | "headersSealed">;
type Sealed = Omit<ServerSettings, "id" | "args" | "env" | "url" | "headers"> & SealedColumns & { id?: string };

/** @throws AppError `unavailable` when the secrets were sealed with another key. */
export function openSettings(row: Sealed): ServerSettings {
  return {
    ...row,
    id: row.id ?? null,
    args: openArguments(row),
    env: openSealed(row.envSealed),
    url: openUrl(row),
    headers: openSealed(row.headersSealed),
  };
}

/** Returns whether a server's own headers hold its credential; false when they cannot be opened. */
export function hasAuthorizationHeader({ headersSealed }: Pick<SealedColumns, "headersSealed">): boolean {
  try {
    return Object.keys(openSealed(headersSealed)).some((name) => name.toLowerCase() === "authorization");
  } catch {
    return false;
  }
}

/** @throws AppError `unavailable` when the values were sealed with another key. */
export function openSealed(sealed: string | null): SecretValues {
  return sealed === null ? {} : (JSON.parse(openText(sealed)) as SecretValues);
}

/** @throws AppError `unavailable` when the arguments were sealed with another key. */
export function openArguments({ argsSealed, args }: Pick<SealedColumns, "argsSealed" | "args">): string[] {
  return argsSealed === null ? args : (JSON.parse(openText(argsSealed)) as string[]);
}

/** @throws AppError `unavailable` when the address was sealed with another key. */
export function openUrl({ urlSealed, url }: Pick<SealedColumns, "urlSealed" | "url">): string | null {
  return urlSealed === null ? url : openText(urlSealed);
}

function openText(sealed: string): string {
  try {
    return unseal(sealed);
  } catch {
    throw new AppError(
      "unavailable",
      "The secrets of this server cannot be opened: HANDRAIL_SECRET_KEY is another one than when they were saved. Restore it, or type them again.",
    );
  }
}

/** Seals values for a row. Unchanged values keep their sealed text, because sealing again would look like a change. */
export function sealValues(values: SecretValues, before: { values: SecretValues; sealed: string | null } | null): string | null {
  if (Object.keys(values).length === 0) return null;
  return sealText(JSON.stringify(values), before && { text: JSON.stringify(before.values), sealed: before.sealed });
}

/** Seals a text for a row. Unchanged text keeps its sealed form. */
export function sealText(text: string, before: { text: string | null; sealed: string | null } | null): string {
  return before?.sealed && before.text === text ? before.sealed : seal(text);
}
