import "server-only";
import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import type { AuthProfile, AuthProfileDraft } from "@/contracts/auth-profiles";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { authProfiles, httpTools, shellSettings } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { seal } from "@/server/platform/crypto";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { isUniqueViolation } from "@/server/platform/sql-state";

type Row = typeof authProfiles.$inferSelect;
type Writer = Authorized<"tools:write">;

const ofWorkspace = (workspaceId: string, id: string) => and(eq(authProfiles.workspaceId, workspaceId), eq(authProfiles.id, id));
const countUses = (tx: Db, id: string) => tx.$count(httpTools, eq(httpTools.authProfileId, id));

/** Converts a row to its public form, without the secret; no other code does. */
function present(row: Row, toolCount: number): AuthProfile {
  const { id, name, kind, origin, parameter, username, allowsFetch, version, createdAt, updatedAt } = row;
  return {
    id,
    name,
    kind,
    origin,
    parameter,
    username,
    allowsFetch,
    toolCount,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Lists the workspace's auth profiles in the order of their creation. */
export async function listAuthProfiles(
  actor: Writer,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: AuthProfile[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : gt(authProfiles.id, decodeCursor(cursor, IdCursor)[0]);
  const found = await db()
    .select({ row: authProfiles, uses: count(httpTools.toolId) })
    .from(authProfiles)
    .leftJoin(httpTools, eq(httpTools.authProfileId, authProfiles.id))
    .where(and(eq(authProfiles.workspaceId, actor.workspaceId), after))
    .groupBy(authProfiles.id)
    .orderBy(asc(authProfiles.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ row }) => [row.id]);
  return { items: rows.map(({ row, uses }) => present(row, uses)), nextCursor };
}

/** Loads an auth profile. @throws AppError `not_found`, also for another workspace's profile */
export async function getAuthProfile(actor: Writer, id: string): Promise<AuthProfile> {
  const [row] = await db().select().from(authProfiles).where(ofWorkspace(actor.workspaceId, id));
  if (!row) throw missing();
  return present(row, await countUses(db(), id));
}

/** Adds an auth profile, its secret sealed. @throws AppError `conflict` for a taken name, `invalid` without a secret */
export async function createAuthProfile(actor: Writer, draft: AuthProfileDraft): Promise<AuthProfile> {
  const { secret, ...settings } = draft;
  if (secret === undefined) throw invalidSecret("needs a value");
  return db().transaction(async (tx) => {
    const [row] = await tx
      .insert(authProfiles)
      .values({ ...kept(settings), secretSealed: seal(secret), workspaceId: actor.workspaceId })
      .onConflictDoNothing({ target: [authProfiles.workspaceId, authProfiles.name] })
      .returning();
    if (!row) throw taken(draft.name);
    await audit(tx, actor, "auth_profile.created", row, {});
    return present(row, 0);
  });
}

/**
 * Replaces an auth profile; without a secret the stored one stays. `version`: from If-Match.
 * @throws AppError `conflict` when tools of the old origin use it, `invalid` for another origin without a new secret
 */
export async function updateAuthProfile(actor: Writer, id: string, draft: AuthProfileDraft, version: number | null): Promise<AuthProfile> {
  const { secret, ...settings } = draft;
  const change = db().transaction(async (tx) => {
    const before = await lock(tx, actor.workspaceId, id, version);
    const uses = await countUses(tx, id);
    const { origin } = kept(settings);
    if (before.origin !== origin) {
      // Otherwise whoever may change profiles could have the stored secret sent to a server of their choice.
      if (secret === undefined) throw invalidSecret(`is needed again, because the stored one belongs to ${before.origin}`);
      if (uses > 0)
        throw new AppError("conflict", `${toolsUse(uses)} "${before.name}" at ${before.origin}. Add another profile for ${origin}.`);
    }
    const [row] = await tx
      .update(authProfiles)
      .set({
        ...kept(settings),
        ...(secret === undefined ? {} : { secretSealed: seal(secret) }),
        version: sql`${authProfiles.version} + 1`,
      })
      .where(eq(authProfiles.id, id))
      .returning();
    if (!row) throw new Error("A locked auth profile was not updated");
    await audit(tx, actor, "auth_profile.updated", row, { secretChanged: secret !== undefined, before: inAudit(before) });
    return present(row, uses);
  });
  return change.catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken(draft.name) : error;
  });
}

/** Removes an auth profile that nothing uses. `version`: from If-Match. @throws AppError `conflict` while something uses it */
export async function removeAuthProfile(actor: Writer, id: string, version: number | null): Promise<void> {
  await db().transaction(async (tx) => {
    const row = await lock(tx, actor.workspaceId, id, version);
    const uses = await countUses(tx, id);
    if (uses > 0) throw new AppError("conflict", `${toolsUse(uses)} "${row.name}". Give them another auth profile first.`);
    if (await isOfRegistry(tx, actor.workspaceId, id)) {
      throw new AppError("conflict", `A package registry uses "${row.name}". Choose another auth profile there first.`);
    }
    await tx.delete(authProfiles).where(eq(authProfiles.id, id));
    await audit(tx, actor, "auth_profile.removed", row, {});
  });
}

async function isOfRegistry(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const [settings] = await tx
    .select({ registries: shellSettings.registries })
    .from(shellSettings)
    .where(eq(shellSettings.workspaceId, workspaceId));
  return Object.values(settings?.registries ?? {}).some((registry) => registry?.authProfileId === id);
}

async function lock(tx: Db, workspaceId: string, id: string, version: number | null): Promise<Row> {
  const [row] = await tx.select().from(authProfiles).where(ofWorkspace(workspaceId, id)).for("update");
  if (!row) throw missing();
  if (version !== null && version !== row.version)
    throw new AppError(
      "stale_version",
      `"${row.name}" was changed by somebody else meanwhile. Reload the auth profile, then repeat your change.`,
    );
  return row;
}

/** Returns the origin in its usual form, and drops the members that the profile's kind does not have. */
function kept({ name, kind, origin, parameter, username, allowsFetch }: Omit<AuthProfileDraft, "secret">) {
  const named = kind === "header" || kind === "query";
  return {
    name,
    kind,
    origin: new URL(origin).origin,
    parameter: named ? parameter : null,
    username: kind === "basic" ? username : null,
    allowsFetch,
  };
}

const inAudit = ({ name, kind, origin, parameter, allowsFetch }: Row): JsonObject => ({ name, kind, origin, parameter, allowsFetch });

async function audit(
  tx: Db,
  actor: Writer,
  event: "auth_profile.created" | "auth_profile.updated" | "auth_profile.removed",
  row: Row,
  more: JsonObject,
) {
  await recordConfigChange(tx, {
    workspaceId: actor.workspaceId,
    event,
    actor: toActorRef(actor),
    subject: row.id,
    data: { ...inAudit(row), ...more },
    requestId: actor.requestId,
  });
}

const toolsUse = (uses: number): string => (uses === 1 ? "1 tool uses" : `${uses} tools use`);
const missing = () => new AppError("not_found", "This auth profile does not exist. It may have been removed; list the auth profiles.");
const taken = (name: string) => new AppError("conflict", `An auth profile named "${name}" exists already. Choose another name.`);
const invalidSecret = (message: string) =>
  new AppError("invalid", `The auth profile is not valid: secret ${message}`, { errors: [{ path: "secret", message }] });
