import "server-only";
import type { McpServerDraft } from "@/contracts/mcp-servers";
import type { mcpServers } from "@/db/schema";
import { seal, unseal } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import type { SecretValues } from "./secret-values";

export type McpServerRow = typeof mcpServers.$inferSelect;

/** What it takes to connect to a server: its settings with the secrets open, references not yet filled in. */
export type ServerSettings = {
  alias: string;
  command: string | null;
  args: readonly string[];
  env: SecretValues;
  cwd: string | null;
  url: string | null;
  headers: SecretValues;
  transport: McpServerDraft["transport"];
  connectTimeoutSeconds: number;
};

type Sealed = Omit<ServerSettings, "env" | "headers"> & Pick<McpServerRow, "envSealed" | "headersSealed">;

/** @throws AppError `unavailable` when the secrets were sealed with another key. */
export function settingsOf(row: Sealed): ServerSettings {
  return { ...row, env: openSealed(row.envSealed), headers: openSealed(row.headersSealed) };
}

/** @throws AppError `unavailable` when the values were sealed with another key. */
export function openSealed(sealed: string | null): SecretValues {
  if (sealed === null) return {};
  let text: string;
  try {
    text = unseal(sealed);
  } catch {
    throw new AppError(
      "unavailable",
      "The secrets of this server cannot be opened: HANDRAIL_SECRET_KEY is another one than when they were saved. Restore it, or type them again.",
    );
  }
  return JSON.parse(text) as SecretValues;
}

/** Seals values for a row. Unchanged values keep their sealed text, because sealing again would look like a change. */
export function sealValues(values: SecretValues, before: { values: SecretValues; sealed: string | null } | null): string | null {
  if (Object.keys(values).length === 0) return null;
  const text = JSON.stringify(values);
  return before && JSON.stringify(before.values) === text ? before.sealed : seal(text);
}
