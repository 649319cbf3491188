import { getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import { openRunStatuses, type RunStatus } from "@/contracts/runs/runs";
import { type runMessages, runs } from "@/db/schema";

export type RunRow = typeof runs.$inferSelect;
export type MessageRow = typeof runMessages.$inferSelect;

/** A run as its owner holds it, with the milliseconds of its time that were left when the row was read. */
export type OwnedRow = RunRow & { remainingMs: number };

export const ownedColumns = {
  ...getTableColumns(runs),
  remainingMs: sql<number>`greatest(0, extract(epoch from ${runs.deadlineAt} - now()) * 1000)`.mapWith(Number),
};

/** Condition on runs that have not ended. */
export const openRun = inArray(runs.status, [...openRunStatuses]);

/** Condition on runs that the model of a conversation still reads. */
export const inHistory = isNull(runs.supersededBy);

export const isEnded = ({ status }: { status: RunStatus }): boolean => !(openRunStatuses as readonly RunStatus[]).includes(status);
