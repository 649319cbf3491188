import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { McpServerDraft } from "@/contracts/mcp-servers";
import { maskInText } from "@/server/audit/mask-secrets";
import { AppError, isAppError } from "@/server/platform/errors";
import { maskValues, valuesToStore } from "./secret-values";
import { type McpServerRow, openSealed, sealValues } from "./server-settings";

export type SettingsColumns = Pick<
  McpServerRow,
  | "alias"
  | "transport"
  | "command"
  | "args"
  | "envSealed"
  | "cwd"
  | "url"
  | "headersSealed"
  | "enabled"
  | "disclosureTier"
  | "allowedTools"
  | "connectTimeoutSeconds"
  | "callTimeoutSeconds"
>;

/**
 * What a draft puts into the row. Masked secrets keep what the row before has, and what belongs to the other kind of
 * transport is dropped.
 * @throws AppError `invalid` for a mask with nothing behind it and for a reference to our own secrets.
 */
export function columnsOf(draft: McpServerDraft, before: McpServerRow | null): SettingsColumns {
  const isProgram = draft.transport === "stdio";
  const sealedBefore = { env: before?.envSealed ?? null, headers: before?.headersSealed ?? null };
  const sealedNow = (place: "env" | "headers", sent: Record<string, string>) => {
    const stored = storedValues(sealedBefore[place]);
    return sealValues(valuesToStore(place, sent, stored), { values: stored, sealed: sealedBefore[place] });
  };
  return {
    alias: draft.alias,
    transport: draft.transport,
    command: isProgram ? (draft.command ?? null) : null,
    args: isProgram ? draft.args.map((arg, index) => textToStore(arg, [before?.args[index], ...(before?.args ?? [])])) : [],
    envSealed: isProgram ? sealedNow("env", draft.env) : null,
    cwd: isProgram ? draft.cwd || null : null,
    url: isProgram || !draft.url ? null : textToStore(draft.url, [before?.url]),
    headersSealed: isProgram ? null : sealedNow("headers", draft.headers),
    enabled: draft.enabled,
    disclosureTier: draft.tier,
    // A list that names nothing asks for nothing in particular.
    allowedTools: draft.allowedTools?.length ? draft.allowedTools : null,
    connectTimeoutSeconds: draft.connectTimeoutSeconds,
    callTimeoutSeconds: draft.callTimeoutSeconds,
  };
}

/** Arguments and addresses may carry a password, which is shown masked and kept when it comes back so. */
function textToStore(sent: string, stored: readonly (string | null | undefined)[]): string {
  return stored.find((text) => typeof text === "string" && maskInText(text) === sent) ?? sent;
}

/** Secrets that cannot be opened any more are gone: the form must be able to replace them. */
function storedValues(sealed: string | null): Record<string, string> {
  try {
    return openSealed(sealed);
  } catch (error) {
    if (isAppError(error)) return {};
    throw error;
  }
}

/** What the audit keeps of a server's settings: everything but the secrets. */
export function auditedSettings(row: SettingsColumns): JsonObject {
  const { alias, transport, command, args, cwd, url, enabled, allowedTools, connectTimeoutSeconds, callTimeoutSeconds } = row;
  return {
    alias,
    transport,
    command,
    args,
    cwd,
    url,
    enabled,
    allowedTools,
    connectTimeoutSeconds,
    callTimeoutSeconds,
    tier: row.disclosureTier,
    env: maskValues(storedValues(row.envSealed)),
    headers: maskValues(storedValues(row.headersSealed)),
  };
}

/** Turns Postgres' refusal of a second row with one alias, on an error or its cause, into a conflict with a sentence. */
export function refuseDuplicate(error: unknown, alias: string): never {
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    if ("code" in link && link.code === "23505") {
      throw new AppError(
        "conflict",
        `There is an MCP server named ${alias} in this workspace already. Choose another alias, or change that one.`,
      );
    }
  }
  throw error;
}
