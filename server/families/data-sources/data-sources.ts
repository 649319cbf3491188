import "server-only";
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { type DataSource, type DataSourceDraft, defaultPorts } from "@/contracts/data-sources";
import type { Db } from "@/db/client";
import { dataSources } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { seal } from "@/server/platform/crypto";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { isUniqueViolation } from "@/server/platform/sql-state";
import type { DataSourceRow } from "./connections";
import { demandForeignFile } from "./engines/sqlite";

export type Writer = Authorized<"data:write">;

const ofWorkspace = (workspaceId: string, id: string) => and(eq(dataSources.workspaceId, workspaceId), eq(dataSources.id, id));

/** Converts a row to its public form, without the password; no other code does. */
function present({ workspaceId, passwordSealed, createdAt, updatedAt, ...row }: DataSourceRow): DataSource {
  return { ...row, hasPassword: passwordSealed !== null, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Lists the workspace's data sources in the order of their creation. */
export async function listDataSources(
  actor: Writer,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: DataSource[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : gt(dataSources.id, decodeCursor(cursor, IdCursor)[0]);
  const found = await db()
    .select()
    .from(dataSources)
    .where(and(eq(dataSources.workspaceId, actor.workspaceId), after))
    .orderBy(asc(dataSources.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(present), nextCursor };
}

/** Loads a data source. @throws AppError `not_found`, also for another workspace's data source */
export async function getDataSource(actor: Writer, id: string): Promise<DataSource> {
  return present(await findDataSource(actor.workspaceId, id));
}

/** Loads the row of a data source. @throws AppError `not_found` */
export async function findDataSource(workspaceId: string, id: string): Promise<DataSourceRow> {
  const [row] = await db().select().from(dataSources).where(ofWorkspace(workspaceId, id));
  if (!row) throw missing();
  return row;
}

/** Adds a data source, its password sealed. @throws AppError `conflict` for a taken name, `invalid` for a file of Handrail */
export async function createDataSource(actor: Writer, draft: DataSourceDraft): Promise<DataSource> {
  const { password, ...settings } = draft;
  return db().transaction(async (tx) => {
    const [row] = await tx
      .insert(dataSources)
      .values({ ...kept(settings), passwordSealed: password ? seal(password) : null, workspaceId: actor.workspaceId })
      .onConflictDoNothing({ target: [dataSources.workspaceId, dataSources.name] })
      .returning();
    if (!row) throw taken(draft.name);
    await recordDataSource(tx, actor, "data_source.created", row, {});
    return present(row);
  });
}

/**
 * Replaces a data source. Without a password the stored one stays, unless it would go to another server or user.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `conflict` for a taken name, `invalid` when the password is needed again
 */
export async function updateDataSource(actor: Writer, id: string, draft: DataSourceDraft, version: number | null): Promise<DataSource> {
  const { password, ...given } = draft;
  const settings = kept(given);
  const change = db().transaction(async (tx) => {
    const before = await lock(tx, actor.workspaceId, id, version);
    if (password === undefined && before.passwordSealed !== null && settings.kind !== "sqlite" && isElsewhere(before, settings))
      throw needsPassword(before);
    const passwordSealed =
      password === undefined ? (settings.kind === "sqlite" ? null : before.passwordSealed) : password ? seal(password) : null;
    const [row] = await tx
      .update(dataSources)
      .set({ ...settings, passwordSealed, version: sql`${dataSources.version} + 1` })
      .where(eq(dataSources.id, id))
      .returning();
    if (!row) throw new Error("A locked data source was not updated");
    await recordDataSource(tx, actor, "data_source.updated", row, { passwordChanged: password !== undefined, before: inAudit(before) });
    return present(row);
  });
  return change.catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken(draft.name) : error;
  });
}

/** Removes a data source. `version`: from If-Match. @throws AppError `not_found`, `stale_version` */
export async function removeDataSource(actor: Writer, id: string, version: number | null): Promise<void> {
  await db().transaction(async (tx) => {
    const row = await lock(tx, actor.workspaceId, id, version);
    await tx.delete(dataSources).where(eq(dataSources.id, id));
    await recordDataSource(tx, actor, "data_source.removed", row, {});
  });
}

/** Writes the audit row of a change or a test of a data source. */
export async function recordDataSource(
  tx: Db,
  actor: Writer,
  event: "data_source.created" | "data_source.updated" | "data_source.removed",
  row: DataSourceRow,
  more: JsonObject,
): Promise<void> {
  await recordConfigChange(tx, {
    workspaceId: actor.workspaceId,
    event,
    actor: toActorRef(actor),
    subject: row.id,
    data: { ...inAudit(row), ...more },
    requestId: actor.requestId,
  });
}

async function lock(tx: Db, workspaceId: string, id: string, version: number | null): Promise<DataSourceRow> {
  const [row] = await tx.select().from(dataSources).where(ofWorkspace(workspaceId, id)).for("update");
  if (!row) throw missing();
  if (version !== null && version !== row.version)
    throw new AppError(
      "stale_version",
      `"${row.name}" was changed by somebody else meanwhile. Reload the data source, then repeat your change.`,
    );
  return row;
}

/** Completes the port and checks the file, before the row is written. */
function kept(settings: Omit<DataSourceDraft, "password">) {
  if (settings.kind === "sqlite") {
    demandForeignFile(settings.file);
    return { ...settings, port: null, sslMode: "disable" as const };
  }
  return { ...settings, port: settings.port ?? defaultPorts[settings.kind] };
}

type Place = Pick<DataSourceRow, "kind" | "host" | "port" | "username" | "sslMode">;

/** Returns true when the stored password would be sent to another server, as another user, or with weaker TLS. */
function isElsewhere(before: Place, after: Place): boolean {
  return (["kind", "host", "port", "username", "sslMode"] as const).some((member) => before[member] !== after[member]);
}

const inAudit = ({ name, kind, host, port, database, username, sslMode, file, enabled }: DataSourceRow): JsonObject => ({
  name,
  kind,
  ...(kind === "sqlite" ? { file } : { host, port, database, username, sslMode }),
  enabled,
});

const missing = () => new AppError("not_found", "This data source does not exist. It may have been removed; list the data sources.");
const taken = (name: string) => new AppError("conflict", `A data source named "${name}" exists already. Choose another name.`);
const needsPassword = ({ username, host }: Place) => {
  const message = `is needed again, because the stored one belongs to ${username} at ${host}`;
  return new AppError("invalid", `The data source is not valid: password ${message}`, { errors: [{ path: "password", message }] });
};
