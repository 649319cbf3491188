import type { ActorRef } from "@/contracts/common";
import type { RunStatus } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { log } from "../log";
import { processWide } from "../process-wide";

/** A run that ends. */
export type EndedRun = {
  id: string;
  workspaceId: string;
  agentId: string;
  conversationId: string;
  requestedBy: ActorRef;
  status: RunStatus;
  answer: string | null;
  error: string | null;
};

/** Follows up the end of a run in its transaction, such as by queueing work. */
export type RunEndListener = (tx: Db, run: EndedRun) => Promise<void>;

const registry = () => processWide("runEnds", () => new Map<string, RunEndListener>());

/** Registers a family's listener; runs end without knowing the families. */
export function provideRunEnd(family: string, listener: RunEndListener): void {
  registry().set(family, listener);
}

/** Tells every listener. A listener that fails loses its own changes only, because a run must be able to end. */
export async function tellRunEnd(tx: Db, run: EndedRun): Promise<void> {
  for (const [family, listener] of registry()) {
    await tx
      .transaction((inner) => listener(inner, run))
      .catch((error) => log().error({ err: error, family, runId: run.id }, "the end of a run could not be followed up"));
  }
}
