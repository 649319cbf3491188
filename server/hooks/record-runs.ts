import "server-only";
import { hookRuns } from "@/db/schema";
import { type AuditEntry, record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { groupCommit } from "@/server/platform/database/group-commit";
import { isDatabaseAway } from "@/server/platform/database/sql-state";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { retry } from "@/server/platform/retry";
import { shutdownSignal } from "@/server/platform/shutdown";
import type { HookContext } from "./hook-context";
import type { HookRan } from "./run-hooks";

type NewRun = typeof hookRuns.$inferInsert & { id: string };
type Unit = { run: NewRun; audit: AuditEntry | null };

/** Runs that wait while the database is away. Further runs are dropped with an error in the log. */
const maxWaiting = 20_000;

const writer = () =>
  processWide("hooks.runs", () => ({
    underWay: new Set<Promise<void>>(),
    commit: groupCommit<Unit, void>(
      async (units) => {
        await db().transaction(async (tx) => {
          // A retry may insert a run whose commit succeeded without an answer. The run is then skipped, and so is its audit row.
          const written = await tx
            .insert(hookRuns)
            .values(units.map(({ run }) => run))
            .onConflictDoNothing()
            .returning({ id: hookRuns.id });
          const isNew = new Set(written.map(({ id }) => id));
          await record(tx, ...units.flatMap(({ run, audit }) => (audit && isNew.has(run.id) ? [audit] : [])));
        });
        return units.map(() => undefined);
      },
      { atMost: 256, beside: 1 },
    ),
  }));

/**
 * Records runs of hooks in the background, in group commits over many calls. Runs wait in memory while the database is
 * away.
 */
export function recordRuns(hookContext: HookContext, ran: readonly HookRan[]): void {
  const { underWay } = writer();
  for (const each of ran) {
    // `recordAuditedRun` has written this run with its audit row.
    if (each.audit) continue;
    if (underWay.size >= maxWaiting) {
      log().error(
        { hookId: each.step.hookId, callId: hookContext.callId },
        "a run of a hook was not recorded: too many wait for the database",
      );
      continue;
    }
    const written: Promise<void> = insist({ run: rowOf(hookContext, each), audit: null })
      .catch((error) => log().error({ err: error, hookId: each.step.hookId }, "a run of a hook could not be recorded"))
      .finally(() => underWay.delete(written));
    underWay.add(written);
  }
}

/** Writes the run of an `audit` hook together with its audit row. */
export async function recordAuditedRun(hookContext: HookContext, ran: HookRan): Promise<void> {
  const { workspaceId, conversationId, turnId, callId, tool, agent, event } = hookContext;
  await writer().commit({
    run: rowOf(hookContext, ran),
    audit: {
      workspaceId,
      event: "hook.noted",
      actor: systemActor,
      subject: ran.step.name,
      tool: tool?.name ?? null,
      conversationId,
      turnId,
      callId,
      data: { hookId: ran.step.hookId, event, agent: agent.name, ...ran.audit },
    },
  });
}

/** Waits until every run that `recordRuns` received is written or given up. */
export async function hookRunsAtRest(): Promise<void> {
  await Promise.allSettled(writer().underWay);
}

function insist(unit: Unit): Promise<void> {
  const mayRecover = (error: Error) => isDatabaseAway(error) && !shutdownSignal().aborted;
  return retry(() => writer().commit(unit), { firstPauseMs: 200, maxPauseMs: 5_000, mayRecover });
}

function rowOf({ workspaceId, agent, tool, conversationId, turnId, callId }: HookContext, { step, data }: HookRan): NewRun {
  return { id: newId(), workspaceId, ...step, data, agent: agent.name, tool: tool?.name ?? null, conversationId, turnId, callId };
}
