import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { suggestSessionScope } from "@/contracts/mcp/session-scope";
import { hostFault } from "@/server/capabilities/sandbox/network/granted-hosts";
import { env } from "@/server/platform/env";
import { AppError, isAppError } from "@/server/platform/errors";
import { hideArguments, hideUrl } from "./mask-settings";
import { type PlainSettings, plainSettings } from "./plain-settings";
import { readableFault } from "./readable-fault";
import { argumentsToStore, urlToStore } from "./sealed-settings";
import { maskValues, valuesToStore } from "./secret-values";
import { type McpServerRow, openArguments, openSealed, openUrl, sealText, sealValues } from "./server-settings";

export type SettingsColumns = Pick<
  McpServerRow,
  keyof PlainSettings | "argsSealed" | "args" | "envSealed" | "urlSealed" | "url" | "headersSealed" | "disclosureTier"
>;

/**
 * Converts a draft to columns. A masked secret keeps the value of the previous row; settings of the other kind of transport
 * are dropped.
 * @throws AppError `invalid` for a mask without a stored value, for a reference to a variable that servers may not read,
 * and for an entry that is no host.
 */
export function toServerColumns(draft: McpServerDraft, before: McpServerRow | null): SettingsColumns {
  const isProgram = draft.transport === "stdio";
  // Stored headers stay at their host, because a changed address would send them to a server of the editor's choice.
  const movedAway = !isProgram && isOtherHost(draft.url, before);
  const sealedBefore = { env: before?.envSealed ?? null, headers: movedAway ? null : (before?.headersSealed ?? null) };
  const sealedNow = (place: "env" | "headers", sent: Record<string, string>) => {
    const stored = storedValues(sealedBefore[place]);
    return sealValues(valuesToStore(place, sent, stored, env().mcpVariables), { values: stored, sealed: sealedBefore[place] });
  };
  const sessionScope = draft.sessionScope ?? before?.sessionScope ?? suggestSessionScope(draft);
  return {
    ...plainSettings({
      ...draft,
      command: null,
      cwd: null,
      parallelCalls: draft.parallelCalls ?? before?.parallelCalls ?? sessionScope === "shared",
      sessionScope,
    }),
    command: isProgram ? (draft.command ?? null) : null,
    argsSealed: isProgram ? sealedArguments(draft.args, before) : null,
    args: [],
    envSealed: isProgram ? sealedNow("env", draft.env) : null,
    cwd: isProgram ? draft.cwd || null : null,
    network: isProgram ? draft.network : "open",
    allowedHosts: isProgram ? checkedHosts(draft.allowedHosts) : [],
    readablePaths: isProgram ? checkedReadable(draft.readablePaths) : [],
    personalSignIn: !isProgram && draft.personalSignIn,
    outsideSandbox: isProgram && draft.outsideSandbox,
    urlSealed: isProgram || !draft.url ? null : sealedUrl(draft.url, movedAway ? null : before),
    url: null,
    headersSealed: isProgram ? null : sealedNow("headers", draft.headers),
    disclosureTier: draft.tier,
    packageDigest: isProgram ? draft.packageDigest : null,
  };
}

/** Whether a draft's address is at another host, port or scheme than the stored one. */
export function isOtherHost(sent: string | null | undefined, before: McpServerRow | null): boolean {
  const stored = before && orNothing(() => openUrl(before));
  if (!sent || !stored) return false;
  const origins = [sent, stored].map((url) => (URL.canParse(url) ? new URL(url).origin : url));
  return origins[0] !== origins[1];
}

/** @throws AppError `invalid` with the entry that is no host. */
function checkedHosts(hosts: readonly string[]): string[] {
  const errors = hosts.flatMap((entry, index) => {
    const message = hostFault(entry);
    return message ? [{ path: `allowedHosts.${index}`, message }] : [];
  });
  const [first] = errors;
  if (first) throw new AppError("invalid", `The settings are not valid: ${first.message}`, { errors });
  return [...hosts];
}

/** @throws AppError `invalid` with the entry that lies in a folder of Handrail. */
function checkedReadable(paths: readonly string[]): string[] {
  const errors = paths.flatMap((entry, index) => {
    const message = readableFault(entry);
    return message ? [{ path: `readablePaths.${index}`, message }] : [];
  });
  const [first] = errors;
  if (first) throw new AppError("invalid", `The settings are not valid: ${first.path} ${first.message}`, { errors });
  return [...paths];
}

function sealedArguments(sent: readonly string[], before: McpServerRow | null): string | null {
  const stored = before ? (orNothing(() => openArguments(before)) ?? []) : [];
  const args = argumentsToStore(sent, stored, env().mcpVariables);
  return args.length === 0 ? null : sealText(JSON.stringify(args), { text: JSON.stringify(stored), sealed: before?.argsSealed ?? null });
}

function sealedUrl(sent: string, before: McpServerRow | null): string {
  const stored = before ? orNothing(() => openUrl(before)) : null;
  return sealText(urlToStore(sent, stored, env().mcpVariables), { text: stored, sealed: before?.urlSealed ?? null });
}

/** Opens a secret, or returns null when it cannot be opened, so that the form can replace the secret. */
function orNothing<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

const storedValues = (sealed: string | null) => orNothing(() => openSealed(sealed)) ?? {};

/** Returns a server's settings for the audit, without the secrets. */
export function auditedSettings(row: SettingsColumns): JsonObject {
  const url = orNothing(() => openUrl(row));
  return {
    ...plainSettings(row),
    // Readers of the audit see no more of the arguments than other readers of servers.
    args: hideArguments(orNothing(() => openArguments(row)) ?? []),
    url: url === null ? null : hideUrl(url),
    tier: row.disclosureTier,
    env: maskValues(storedValues(row.envSealed)),
    headers: maskValues(storedValues(row.headersSealed)),
  };
}

/** Converts Postgres' unique violation on the alias, on an error or its cause, to a `conflict`. Rethrows other errors. */
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
