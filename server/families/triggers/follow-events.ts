import "server-only";
import { and, eq, or } from "drizzle-orm";
import type { TriggerKind } from "@/contracts/automation/triggers";
import type { Db } from "@/db/client";
import { agents, conversations, triggerFirings, triggers, workflowSteps } from "@/db/schema";
import { sha256 } from "@/server/platform/crypto";
import { storableText } from "@/server/platform/database/storable";
import type { HappeningListener } from "@/server/platform/extension-points/happenings";
import type { EndedRun } from "@/server/platform/extension-points/run-ends";
import { enqueue } from "@/server/platform/queue";
import { maskInText } from "@/server/secrets/mask-secrets";
import { fillTemplate, type Payload } from "./fill-template";
import { triggerQueue } from "./trigger-queue";
import type { TriggerRow } from "./triggers";

const maxTextChars = 50_000;

type Event = { key: string; payload: Payload; depth: number; from?: { messengerId: string; senderId: string } };

/** Stores what a trigger follows, once, and queues the start, in the caller's transaction. @returns the firing, also of an earlier call */
export async function storeFiring(tx: Db, { id: triggerId, workspaceId, template }: TriggerRow, { key, payload, depth, from }: Event) {
  const text = storableText(maskInText(fillTemplate(template, payload))).slice(0, maxTextChars);
  const digest = sha256(JSON.stringify(payload));
  const [stored] = await tx
    .insert(triggerFirings)
    .values({ workspaceId, triggerId, key: storableText(key).slice(0, 300), digest, text, depth, ...from })
    .onConflictDoNothing({ target: [triggerFirings.triggerId, triggerFirings.key] })
    .returning();
  if (stored) await enqueue(tx, triggerQueue, [{ workspaceId, input: { firingId: stored.id } }]);
  return stored ?? null;
}

const enabledOf = (tx: Db, workspaceId: string, ...kinds: TriggerKind[]): Promise<TriggerRow[]> =>
  tx
    .select()
    .from(triggers)
    .where(and(eq(triggers.workspaceId, workspaceId), eq(triggers.enabled, true), or(...kinds.map((kind) => eq(triggers.kind, kind)))));

/** Follows messages of chats and ends of workflows. */
export const followHappening: HappeningListener = async (tx, happening) => {
  const { workspaceId, key } = happening;
  if (happening.kind === "workflow") {
    const { workflowId, workflow, status, answer, error, workflowRunId } = happening;
    const found = await enabledOf(tx, workspaceId, "workflow_completed");
    const payload = { workflow, status, answer: answer ?? "", error: error ?? "", run_id: workflowRunId };
    const depth = 1 + (await depthOfWorkflow(tx, workflowRunId));
    for (const trigger of found)
      if (trigger.ofWorkflowId === null || trigger.ofWorkflowId === workflowId) await storeFiring(tx, trigger, { key, payload, depth });
    return;
  }
  const { messengerId, messenger, chat, sender, senderId, text, isForAgent } = happening;
  const from = { messengerId, senderId };
  for (const trigger of await enabledOf(tx, workspaceId, "channel_message", "content_match")) {
    if (trigger.messengerId !== null && trigger.messengerId !== messengerId) continue;
    if (trigger.kind === "channel_message" && !isForAgent) continue;
    const match = trigger.words.find((word) => text.toLowerCase().includes(word.toLowerCase()));
    if (trigger.kind === "content_match" && match === undefined) continue;
    await storeFiring(tx, trigger, { key, payload: { text, sender, messenger, chat, match: match ?? "" }, depth: 1, from });
  }
};

/** Follows ends of runs, in their transaction. */
export async function followRunEnd(tx: Db, { id, workspaceId, agentId, conversationId, status, answer, error }: EndedRun): Promise<void> {
  const found = (await enabledOf(tx, workspaceId, "agent_lifecycle")).filter(
    ({ ofAgentId, statuses }) => (ofAgentId === null || ofAgentId === agentId) && statuses.some((wanted) => wanted === status),
  );
  if (found.length === 0) return;
  const [agent] = await tx.select({ name: agents.name }).from(agents).where(eq(agents.id, agentId));
  const payload = { agent: agent?.name ?? "", status, answer: answer ?? "", error: error ?? "", run_id: id };
  const depth = 1 + (await depthOfConversation(tx, conversationId));
  for (const trigger of found) await storeFiring(tx, trigger, { key: `run:${id}`, payload, depth });
}

/** Triggers that led to a conversation, also over the agent or the workflow that opened it. */
async function depthOfConversation(tx: Db, conversationId: string): Promise<number> {
  const [conversation] = await tx
    .select({ root: conversations.rootConversationId })
    .from(conversations)
    .where(eq(conversations.id, conversationId));
  const ids = [conversationId, ...(conversation?.root ? [conversation.root] : [])];
  const depths = await Promise.all(
    ids.map(async (id) => {
      const [firing] = await tx.select({ depth: triggerFirings.depth }).from(triggerFirings).where(eq(triggerFirings.conversationId, id));
      if (firing) return firing.depth;
      const [step] = await tx.select({ run: workflowSteps.workflowRunId }).from(workflowSteps).where(eq(workflowSteps.conversationId, id));
      return step ? depthOfWorkflow(tx, step.run) : 0;
    }),
  );
  return Math.max(...depths);
}

async function depthOfWorkflow(tx: Db, workflowRunId: string): Promise<number> {
  const [firing] = await tx
    .select({ depth: triggerFirings.depth })
    .from(triggerFirings)
    .where(eq(triggerFirings.workflowRunId, workflowRunId));
  return firing?.depth ?? 0;
}
