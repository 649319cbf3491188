import "server-only";
import { and, eq } from "drizzle-orm";
import type { ShellSettings, ShellSettingsPatch } from "@/contracts/tools/shell";
import type { Db } from "@/db/client";
import { authProfiles, shellSettings } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { seal, unseal, unsealOrNull } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { defineSettings } from "@/server/resources/define-settings";

type Values = Pick<ShellSettings, "codeLanguages" | "commandPrefix" | "registries"> & {
  /** Variables that every command gets. */
  variables: Readonly<Record<string, string>>;
};

const defaults: Values = { codeLanguages: ["shell"], commandPrefix: "", variables: {}, registries: { npm: null, pypi: null } };
const maxVariables = 50;
/** Variables that Handrail sets itself, or with which commands would not start as they were decided. */
const reserved = /^(?:HOME|PWD|OLDPWD|SHELLOPTS|BASHOPTS|BASH_ENV|ENV|IFS|LD_\w+|HANDRAIL_\w*)$/;

const settings = defineSettings({
  table: shellSettings,
  event: "shell_settings.updated",
  inAudit: (row) => inAudit(readableValues(row)),
});

/** Returns the settings of a workspace, cached until its configuration changes. */
export const loadShellSettings = versionedCache("shellSettings", async (workspaceId): Promise<Values> => {
  const row = await settings.find(workspaceId);
  return row ? valuesOf(row) : defaults;
});

export async function getShellSettings(actor: Authorized<"tools:read">): Promise<ShellSettings> {
  return present(await settings.find(actor.workspaceId));
}

/**
 * Changes the given settings. The audit row names variables and never holds their values.
 * @param version from If-Match
 * @throws AppError `stale_version`; `invalid` for a variable that nobody may set
 */
export async function updateShellSettings(
  actor: Authorized<"admin">,
  patch: ShellSettingsPatch,
  version: number | null,
): Promise<ShellSettings> {
  assertVariables(patch.variables ?? {});
  const saved = await settings.change(actor, version, async (row, tx) => {
    await assertProfiles(tx, actor.workspaceId, patch.registries ?? {});
    const before = readableValues(row);
    const variables = withChanges(before.variables, patch.variables ?? {});
    return {
      set: {
        codeLanguages: [...new Set(patch.codeLanguages ?? before.codeLanguages)],
        commandPrefix: patch.commandPrefix ?? before.commandPrefix,
        registries: { ...before.registries, ...patch.registries },
        sealedVariables: Object.keys(variables).length === 0 ? null : seal(JSON.stringify(variables)),
      },
      noted: { variablesSet: Object.keys(patch.variables ?? {}).sort() },
    };
  });
  return present(saved);
}

function assertVariables(changes: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(changes)) {
    const message = reserved.test(name)
      ? `${name} cannot be set, because Handrail or the shell sets it. Use another variable.`
      : value?.includes("\0")
        ? `${name} contains a NUL character. Send it without.`
        : null;
    if (message) throw new AppError("invalid", message, { errors: [{ path: `variables.${name}`, message }] });
  }
}

/** @throws AppError `invalid` for a profile that does not exist or belongs to another origin */
async function assertProfiles(tx: Db, workspaceId: string, registries: NonNullable<ShellSettingsPatch["registries"]>): Promise<void> {
  for (const [manager, registry] of Object.entries(registries)) {
    if (!registry || registry.authProfileId === null) continue;
    const [profile] = await tx
      .select({ name: authProfiles.name, origin: authProfiles.origin })
      .from(authProfiles)
      .where(and(eq(authProfiles.workspaceId, workspaceId), eq(authProfiles.id, registry.authProfileId)));
    const { origin } = new URL(registry.url);
    const message = !profile
      ? "There is no such auth profile. Choose another one, or none."
      : profile.origin !== origin
        ? `The auth profile "${profile.name}" belongs to ${profile.origin}, and the registry to ${origin}. Choose one of the same origin.`
        : null;
    if (message) throw new AppError("invalid", message, { errors: [{ path: `registries.${manager}.authProfileId`, message }] });
  }
}

function withChanges(before: Readonly<Record<string, string>>, changes: Readonly<Record<string, string | null>>): Record<string, string> {
  const entries = Object.entries<string | null>({ ...before, ...changes });
  const kept = entries.filter((entry): entry is [string, string] => entry[1] !== null);
  if (kept.length > maxVariables) throw new AppError("invalid", `A workspace has at most ${maxVariables} variables. Remove some first.`);
  return Object.fromEntries(kept);
}

const inAudit = ({ codeLanguages, commandPrefix, variables, registries }: Values) => ({
  codeLanguages: [...codeLanguages],
  commandPrefix,
  variables: Object.keys(variables).sort(),
  registries,
});

type Row = typeof shellSettings.$inferSelect;

const valuesOf = ({ codeLanguages, commandPrefix, sealedVariables, registries }: Row): Values => ({
  codeLanguages,
  commandPrefix,
  registries,
  variables: sealedVariables === null ? {} : JSON.parse(unseal(sealedVariables)),
});

/** Variables that another secret key sealed are lost: settings are shown and saved without them, and the doctor counts them. */
const readableValues = (row: Row): Values => {
  const isLost = row.sealedVariables !== null && unsealOrNull(row.sealedVariables) === null;
  return valuesOf(isLost ? { ...row, sealedVariables: null } : row);
};

function present(row: Row | undefined): ShellSettings {
  const { codeLanguages, commandPrefix, variables, registries } = row ? readableValues(row) : defaults;
  return {
    codeLanguages,
    commandPrefix,
    registries,
    variables: Object.keys(variables).sort(),
    version: row?.version ?? 0,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}
