import "server-only";
import { eq } from "drizzle-orm";
import { workflowRuns, workflowSteps } from "@/db/schema";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { WorkflowRunRow } from "./present-workflow";
import { insertRun } from "./workflow-runs";
import { loadWorkflows } from "./workflows";

/** Workflows whose agents start workflows may go this deep. */
export const maxWorkflowDepth = 3;

/** Workflows of the workspace, for its agents. */
export type WorkflowsCapability = {
  /** @throws AppError `not_found` with the names, `conflict` too deep, `forbidden` for a key that is bound to one agent */
  start: (name: string, input: string) => Promise<WorkflowRunRow>;
};

export const workflows = defineCapability({
  name: "workflows",
  title: "Workflows of the workspace",
  isOfConversation: false,
  create: ({ workspaceId, conversationId, callId, actor: by }): WorkflowsCapability => ({
    start: async (name, input) => {
      const { agentId } = await actorFromRef(by, { workspaceId, requestId: callId });
      if (agentId) throw new AppError("forbidden", `The API key "${by.name}" is bound to one agent, so it cannot start workflows.`);
      return db().transaction(async (tx) => {
        const all = await loadWorkflows(tx, workspaceId);
        const workflow = all.find((candidate) => candidate.name === name.trim());
        if (!workflow) {
          const known = all.map((candidate) => candidate.name).join(", ");
          throw new AppError(
            "not_found",
            `There is no workflow "${name.slice(0, 100)}". ${known ? `Available workflows: ${known}.` : "The workspace has none."}`,
          );
        }
        const [parent] = await tx
          .select({ depth: workflowRuns.depth })
          .from(workflowSteps)
          .innerJoin(workflowRuns, eq(workflowRuns.id, workflowSteps.workflowRunId))
          .where(eq(workflowSteps.conversationId, conversationId));
        const depth = 1 + (parent?.depth ?? 0);
        if (depth > maxWorkflowDepth)
          throw new AppError("conflict", `Workflows start workflows ${maxWorkflowDepth} deep at the most. Do this step without one.`);
        return insertRun(tx, workflow, { input, idempotencyKey: `call:${callId}`, depth, by, orderedIn: conversationId });
      });
    },
  }),
});
