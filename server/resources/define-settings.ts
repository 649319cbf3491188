import "server-only";
import { eq } from "drizzle-orm";
import type { AnyPgColumn, AnyPgTable } from "drizzle-orm/pg-core";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

/** A table with one row a workspace; a workspace without a row has the defaults. */
type SettingsTable = AnyPgTable & { workspaceId: AnyPgColumn; version: AnyPgColumn };
type SettingsRow = { workspaceId: string; version: number; updatedAt: Date };

/** New values of the row's columns, and what the audit row says beside its `new` and `old`. */
export type SettingsChange<Row> = { set: Partial<Omit<Row, keyof SettingsRow>>; noted?: JsonObject };

export type Settings<Row> = {
  /** Returns the row of a workspace; undefined while nobody has changed the defaults. */
  find(workspaceId: string, tx?: Db): Promise<Row | undefined>;
  /**
   * Changes the row and writes its audit row in the same transaction; two changes at once wait for each other.
   * @param version from If-Match
   * @throws AppError `stale_version`, and what `change` throws
   */
  change(
    actor: Actor,
    version: number | null,
    change: (before: Row, tx: Db) => SettingsChange<Row> | Promise<SettingsChange<Row>>,
  ): Promise<Row>;
};

/** Defines the settings of a workspace. `inAudit` names what of a row may stand in the audit. */
export function defineSettings<Table extends SettingsTable>({
  table,
  event,
  inAudit,
}: {
  table: Table;
  event: AuditEventName;
  inAudit: (row: Table["$inferSelect"]) => JsonObject;
}): Settings<Table["$inferSelect"]> {
  type Row = Table["$inferSelect"];
  // Drizzle computes rows from a concrete table only.
  const anyTable: AnyPgTable = table;
  const ofWorkspace = (workspaceId: string) => eq(table.workspaceId, workspaceId);
  return {
    async find(workspaceId, tx = db()) {
      const [row] = await tx.select().from(anyTable).where(ofWorkspace(workspaceId));
      return row as Row | undefined;
    },
    change(actor, version, change) {
      const { workspaceId } = actor;
      return db().transaction(async (tx) => {
        // Inserts the row first, because a missing row cannot be locked.
        await tx
          .insert(anyTable)
          .values({ workspaceId, version: 0 } as object)
          .onConflictDoNothing();
        const [before] = (await tx.select().from(anyTable).where(ofWorkspace(workspaceId)).for("update")) as Row[];
        if (!before) throw new Error(`${event}: the settings have no row`);
        if (version !== null && version !== before.version) {
          throw new AppError("stale_version", "Somebody changed these settings meanwhile. Reload the settings, then repeat your change.");
        }
        const { set, noted } = await change(before, tx);
        const values = { ...set, version: Number(before.version) + 1 };
        const [saved] = (await tx.update(anyTable).set(values).where(ofWorkspace(workspaceId)).returning()) as Row[];
        if (!saved) throw new Error(`${event}: the settings were not saved`);
        await recordConfigChange(tx, {
          workspaceId,
          event,
          actor: toActorRef(actor),
          subject: null,
          data: { new: inAudit(saved), old: inAudit(before), ...noted },
          requestId: actor.requestId,
        });
        return saved;
      });
    },
  };
}
