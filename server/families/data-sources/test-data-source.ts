import "server-only";
import type { DataSourceTest } from "@/contracts/tools/data-sources";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { type DataSourceRow, withEngine } from "./connections";
import { dataSources } from "./data-sources";
import { queryLimits } from "./engines/engine";

/** Connects to a data source, also to a disabled one, and returns what came of it. @throws AppError `not_found` */
export async function testDataSource(actor: Authorized<"data:write">, id: string): Promise<DataSourceTest> {
  const row = await dataSources.find(actor.workspaceId, id);
  const startedAt = performance.now();
  const outcome = await probeDataSource(row);
  const { workspaceId, requestId } = actor;
  await record(db(), {
    workspaceId,
    event: "data_source.tested",
    actor: toActorRef(actor),
    subject: id,
    data: { name: row.name, success: outcome.success },
    requestId,
  });
  return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
}

/** Connects to a data source, and says who answered or why nobody did. */
export async function probeDataSource(row: DataSourceRow): Promise<{ success: boolean; message: string }> {
  return withEngine(row, (engine) => engine.probe(AbortSignal.timeout(queryLimits.connectMs))).then(
    (version) => ({ success: true, message: `${version} answered.` }),
    (error: unknown) => ({ success: false, message: failureOf(row, error) }),
  );
}

/** Says why a connection failed, and what to check for a source of its kind. */
export function failureOf({ kind }: Pick<DataSourceRow, "kind">, error: unknown): string {
  if (!isAppError(error)) return "The connection failed for an unknown reason. The server's log has it.";
  if (error.code !== "timed_out") return error.message;
  const seconds = queryLimits.connectMs / 1_000;
  return kind === "sqlite"
    ? `The file was not opened within ${seconds} seconds. This server is busy, or another program holds the file. Try again.`
    : `Nothing answered within ${seconds} seconds. Check host and port.`;
}
