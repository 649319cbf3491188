import "server-only";
import { count, eq, inArray } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { type AuthProfile, type AuthProfileDraft, authProfileEndpoints } from "@/contracts/tools/auth-profiles";
import type { Db } from "@/db/client";
import { authProfiles as authProfileTable, httpTools, shellSettings } from "@/db/schema";
import { seal } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { defineResource } from "@/server/resources/define-resource";

type Row = typeof authProfileTable.$inferSelect;

/**
 * Auth profiles, their secrets sealed. An update without a secret keeps the stored one. A profile that tools use keeps its
 * origin, and one that something uses is not removed.
 */
export const authProfiles = defineResource({
  table: authProfileTable,
  endpoints: authProfileEndpoints,
  noun: "auth profile",
  title: ({ name }) => `"${name}"`,
  present,
  inAudit: ({ name, kind, origin, parameter, allowsFetch, fetchPaths, fetchMethods }): JsonObject => ({
    ...{ name, kind, origin, parameter, allowsFetch, fetchPaths, fetchMethods },
  }),
  toColumns: async ({ secret, ...settings }, { before, tx }) => {
    const columns = kept(settings);
    if (before) await assertSameOrigin(before, { origin: columns.origin, hasSecret: secret !== undefined }, tx);
    else if (secret === undefined) throw invalidSecret("needs a value");
    return { ...columns, ...(secret === undefined ? {} : { secretSealed: seal(secret) }) };
  },
  noteUpdate: ({ secret }) => ({ secretChanged: secret !== undefined }),
  assertRemovable: async ({ id, name, workspaceId }, tx) => {
    const uses = (await countUses(tx, [id])).get(id) ?? 0;
    if (uses > 0) throw new AppError("conflict", `${toolsUse(uses)} "${name}". Give them another auth profile first.`);
    if (await isOfRegistry(tx, workspaceId, id)) {
      throw new AppError("conflict", `A package registry uses "${name}". Choose another auth profile there first.`);
    }
  },
});

/** Converts rows to their public form, without the secrets. */
async function present(rows: readonly Row[], tx: Db): Promise<AuthProfile[]> {
  const uses = await countUses(
    tx,
    rows.map(({ id }) => id),
  );
  // Named one by one, so that no column of a secret that comes later is shown.
  return rows.map(
    ({ id, name, kind, origin, parameter, username, allowsFetch, fetchPaths, fetchMethods, version, createdAt, updatedAt }) => ({
      ...{ id, name, kind, origin, parameter, username, allowsFetch, fetchPaths, fetchMethods, version },
      toolCount: uses.get(id) ?? 0,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }),
  );
}

/** Returns how many tools use each profile; a profile without tools is missing. */
async function countUses(tx: Db, ids: string[]): Promise<Map<string | null, number>> {
  const found = await tx
    .select({ id: httpTools.authProfileId, uses: count() })
    .from(httpTools)
    .where(inArray(httpTools.authProfileId, ids))
    .groupBy(httpTools.authProfileId);
  return new Map(found.map(({ id, uses }) => [id, uses]));
}

/** @throws AppError `invalid` for another origin without a new secret, `conflict` when tools of the old origin use the profile */
async function assertSameOrigin(before: Row, { origin, hasSecret }: { origin: string; hasSecret: boolean }, tx: Db): Promise<void> {
  if (before.origin === origin) return;
  // Otherwise whoever may change profiles could have the stored secret sent to a server of their choice.
  if (!hasSecret) throw invalidSecret(`is needed again, because the stored one belongs to ${before.origin}`);
  const uses = (await countUses(tx, [before.id])).get(before.id) ?? 0;
  if (uses > 0)
    throw new AppError("conflict", `${toolsUse(uses)} "${before.name}" at ${before.origin}. Add another profile for ${origin}.`);
}

async function isOfRegistry(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const [settings] = await tx
    .select({ registries: shellSettings.registries })
    .from(shellSettings)
    .where(eq(shellSettings.workspaceId, workspaceId));
  return Object.values(settings?.registries ?? {}).some((registry) => registry?.authProfileId === id);
}

/** Returns the origin in its usual form, and drops the members that the profile's kind does not have. */
function kept({ name, kind, origin, parameter, username, allowsFetch, fetchPaths, fetchMethods }: Omit<AuthProfileDraft, "secret">) {
  const named = kind === "header" || kind === "query";
  return {
    name,
    kind,
    origin: new URL(origin).origin,
    parameter: named ? parameter : null,
    username: kind === "basic" ? username : null,
    allowsFetch,
    fetchPaths: [...new Set(fetchPaths)],
    fetchMethods: [...new Set(fetchMethods)],
  };
}

const toolsUse = (uses: number): string => (uses === 1 ? "1 tool uses" : `${uses} tools use`);
const invalidSecret = (message: string) =>
  new AppError("invalid", `The auth profile is not valid: secret ${message}`, { errors: [{ path: "secret", message }] });
