import "server-only";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { processWide } from "@/server/platform/process-wide";

type Start = { workspaceId: string; workflowId: string; input: string; idempotencyKey: string; by: ActorRef };

/** Starts a workflow in the caller's transaction; the same key again returns its run. @throws AppError `not_found`, `too_many_requests` */
export type WorkflowStart = (tx: Db, start: Start) => Promise<{ workflowRunId: string }>;

const holder = () => processWide("workflow-start", () => ({ start: null as WorkflowStart | null }));

export function provideWorkflowStart(start: WorkflowStart): void {
  holder().start = start;
}

export async function startWorkflowFor(tx: Db, start: Start): Promise<{ workflowRunId: string }> {
  const provided = holder().start;
  if (!provided) throw new Error("No family starts workflows");
  return provided(tx, start);
}
