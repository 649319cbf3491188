import "server-only";
import { and, eq } from "drizzle-orm";
import type { ShellSettings, ShellSettingsPatch } from "@/contracts/shell";
import type { Db } from "@/db/client";
import { authProfiles, shellSettings } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { seal, unseal, unsealOrNull } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { versionedCache } from "@/server/platform/versioned-cache";

type Values = Pick<ShellSettings, "codeLanguages" | "commandPrefix" | "registries"> & {
  /** Variables that every command gets. */
  variables: Readonly<Record<string, string>>;
};

const defaults: Values = { codeLanguages: ["shell"], commandPrefix: "", variables: {}, registries: { npm: null, pypi: null } };
const maxVariables = 50;
/** Variables that Handrail sets itself, or with which commands would not start as they were decided. */
const reserved = /^(?:HOME|PWD|OLDPWD|SHELLOPTS|BASHOPTS|BASH_ENV|ENV|IFS|LD_\w+|HANDRAIL_\w*)$/;

/** Returns the settings of a workspace, cached until its configuration changes. */
export const loadShellSettings = versionedCache("shellSettings", async (workspaceId): Promise<Values> => {
  const row = await findRow(db(), workspaceId);
  return row ? valuesOf(row) : defaults;
});

export async function getShellSettings(actor: Authorized<"tools:read">): Promise<ShellSettings> {
  return present(await findRow(db(), actor.workspaceId));
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
  const { workspaceId } = actor;
  assertVariables(patch.variables ?? {});
  return db().transaction(async (tx) => {
    // Inserts the row first, because a missing row cannot be locked.
    await tx.insert(shellSettings).values({ workspaceId, version: 0 }).onConflictDoNothing();
    const [row] = await tx.select().from(shellSettings).where(eq(shellSettings.workspaceId, workspaceId)).for("update");
    if (!row) throw new Error("the shell settings have no row");
    if (version !== null && version !== row.version) {
      throw new AppError("stale_version", "Somebody changed these settings meanwhile. Reload the settings, then repeat your change.");
    }
    const before = readableValues(row);
    const { codeLanguages = before.codeLanguages, commandPrefix = before.commandPrefix } = patch;
    const registries = { ...before.registries, ...patch.registries };
    await assertProfiles(tx, workspaceId, patch.registries ?? {});
    const variables = withChanges(before.variables, patch.variables ?? {});
    const sealedVariables = Object.keys(variables).length === 0 ? null : seal(JSON.stringify(variables));
    const [saved] = await tx
      .update(shellSettings)
      .set({ codeLanguages: [...new Set(codeLanguages)], commandPrefix, sealedVariables, registries, version: row.version + 1 })
      .where(eq(shellSettings.workspaceId, workspaceId))
      .returning();
    await recordConfigChange(tx, {
      workspaceId,
      event: "shell_settings.updated",
      actor: toActorRef(actor),
      subject: null,
      data: {
        new: inAudit({ codeLanguages, commandPrefix, variables, registries }),
        old: inAudit(before),
        variablesSet: Object.keys(patch.variables ?? {}).sort(),
      },
      requestId: actor.requestId,
    });
    return present(saved);
  });
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

async function findRow(tx: Db, workspaceId: string): Promise<Row | undefined> {
  const [row] = await tx.select().from(shellSettings).where(eq(shellSettings.workspaceId, workspaceId));
  return row;
}

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
