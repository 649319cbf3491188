import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { hookRuns } from "@/db/schema";
import { type AuditEntry, record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { groupCommit } from "@/server/platform/group-commit";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isDatabaseAway } from "@/server/platform/sql-state";
import type { HookRan } from "./run-hooks";
import type { HookScene } from "./scene";

type NewRun = typeof hookRuns.$inferInsert & { id: string };
type Unit = { run: NewRun; audit: AuditEntry | null };

/** Runs that wait while the database is away; more than this are lost, and the log says so. */
const mostWaiting = 20_000;

const writer = () =>
  processWide("hooks.runs", () => ({
    underWay: new Set<Promise<void>>(),
    commit: groupCommit<Unit, void>(
      async (units) => {
        await db().transaction(async (tx) => {
          // Written before and never answered for: the second writing changes nothing.
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
 * Writes runs of hooks beside the path of the call, many calls' together. Nobody waits for it; while the database is away
 * they wait in memory.
 */
export function recordRuns(scene: HookScene, ran: readonly HookRan[]): void {
  const { underWay } = writer();
  for (const each of ran) {
    // Written already, with its audit row.
    if (each.audit) continue;
    if (underWay.size >= mostWaiting) {
      log().error({ hookId: each.step.hookId, callId: scene.callId }, "a run of a hook was not recorded: too many wait for the database");
      continue;
    }
    const written: Promise<void> = insist({ run: rowOf(scene, each), audit: null })
      .catch((error) => log().error({ err: error, hookId: each.step.hookId }, "a run of a hook could not be recorded"))
      .finally(() => underWay.delete(written));
    underWay.add(written);
  }
}

/** Writes the run of a hook together with the audit row that it asks for. */
export async function recordAuditedRun(scene: HookScene, ran: HookRan): Promise<void> {
  const { workspaceId, conversationId, turnId, callId, tool, agent, event } = scene;
  await writer().commit({
    run: rowOf(scene, ran),
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

/** Resolves when every run that was told of here is written. */
export async function hookRunsAtRest(): Promise<void> {
  await Promise.allSettled(writer().underWay);
}

async function insist(unit: Unit): Promise<void> {
  for (let pauseMs = 200; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
    try {
      return await writer().commit(unit);
    } catch (error) {
      if (!isDatabaseAway(error) || shutdownSignal().aborted) throw error;
      await pause(pauseMs);
    }
  }
}

function rowOf({ workspaceId, agent, tool, conversationId, turnId, callId }: HookScene, { step, data }: HookRan): NewRun {
  return { id: newId(), workspaceId, ...step, data, agent: agent.name, tool: tool?.name ?? null, conversationId, turnId, callId };
}
