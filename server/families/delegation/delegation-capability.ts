import "server-only";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { HandedTask } from "@/contracts/agents/delegation";
import type { Run, RunModel } from "@/contracts/runs/runs";
import { conversations, runs } from "@/db/schema";
import { type CallScope, defineCapability } from "@/server/capabilities/define-capability";
import { type ConversationRow, deletedMeanwhile, readConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { awaitChildRun } from "@/server/runs/await-child-run";
import { readRun } from "@/server/runs/read/load-run";
import { waitForRun } from "@/server/runs/read/wait-for-run";
import { type ChildRun, type ChildTask, startChildRun } from "@/server/runs/starts/start-child-run";
import { loadToolScope } from "@/server/tools/list-conversation-tools";
import { type AskableAgent, findAskableAgent, listAskableAgents } from "./askable-agents";
import { listHandedTasks } from "./conversation-delegation";
import { findModel } from "./find-model";
import { withParentContext } from "./parent-context";
import { pausedSentence, readDelegationSettings } from "./settings";

type Handing = Pick<ChildTask, "message" | "place" | "isAwaited" | "label" | "limits"> & { inheritParentContext?: boolean };

type Copying = Pick<ChildTask, "message" | "place"> & { tools: readonly string[]; model?: string; conversationId?: string };

/** Other agents, and the tasks that the conversation handed to them. */
export type DelegationCapability = {
  listAgents: () => Promise<AskableAgent[]>;
  /** Hands a task to another agent, once a call and place. @throws AppError */
  hand: (agentName: string, task: Handing) => Promise<ChildRun>;
  /** Hands a task to an agent that is a tool of this one. @throws AppError */
  handToTool: (agentId: string, task: Handing) => Promise<ChildRun>;
  /** Hands a task to a copy of the caller with some of its tools. @throws AppError */
  copySelf: (task: Copying) => Promise<ChildRun>;
  /** Sends a further message to the conversation of a task. @throws AppError */
  send: (task: HandedRef, message: string, options: { isAwaited: boolean }) => Promise<ChildRun>;
  /** Waits for the end of a child, and cancels it when the signal aborts. */
  awaitEnd: typeof awaitChildRun;
  /** Returns a task of this conversation, as it stands after `seconds` at the most. @throws AppError */
  task: (taskId: string, options: { seconds: number; signal: AbortSignal }) => Promise<Run>;
  /** Finds the task of this conversation by its id or by its conversation. @throws AppError */
  findTask: (taskOrConversationId: string) => Promise<HandedRef>;
  listTasks: () => Promise<HandedTask[]>;
};

export type HandedRef = { runId: string; conversationId: string; agentId: string };

export const delegation = defineCapability({
  name: "delegation",
  title: "Other agents",
  isOfConversation: true,
  create: (scope) => delegationOf(scope),
});

function delegationOf({ workspaceId, conversationId, callId, actor }: CallScope): DelegationCapability {
  const parent = { conversationId, callId };
  const start = async (task: Omit<ChildTask, "workspaceId" | "parent" | "requestedBy">) => {
    const { paused } = await readDelegationSettings(workspaceId);
    if (paused) throw new AppError("conflict", pausedSentence);
    return startChildRun({ ...task, workspaceId, parent, requestedBy: actor });
  };
  const own = async () => (await readConversation(conversationId)) ?? Promise.reject(deletedMeanwhile());
  const listAgents = async () => listAskableAgents(workspaceId, (await own()).agentId);
  const handTo = async (agentId: string, { inheritParentContext, message, ...task }: Handing) =>
    start({ ...task, agentId, message: inheritParentContext ? await withParentContext(conversationId, message) : message });
  return {
    listAgents,
    hand: async (agentName, task) => handTo((await findAskableAgent(workspaceId, (await own()).agentId, agentName)).id, task),
    handToTool: handTo,
    copySelf: async ({ tools, model, ...task }) => {
      const self = await own();
      const allowedTools = await toolsOf(self, tools);
      const models: RunModel[] | undefined = model === undefined ? undefined : [await findModel(workspaceId, self.agentId, model)];
      return start({ ...task, agentId: self.agentId, isAwaited: true, allowedTools, sharesFolder: true, ...(models ? { models } : {}) });
    },
    send: ({ agentId, conversationId }, message, { isAwaited }) => start({ agentId, conversationId, message, isAwaited }),
    awaitEnd: awaitChildRun,
    task: async (taskId, { seconds, signal }) => {
      const { runId } = await findTask(taskId, { workspaceId, conversationId });
      return seconds > 0 ? waitForRun(runId, seconds, signal) : readRun(runId);
    },
    findTask: (id) => findTask(id, { workspaceId, conversationId }),
    listTasks: () => listHandedTasks(conversationId),
  };
}

/** Returns the canonical names of the wanted tools that the caller has itself. @throws AppError when it has none of them */
async function toolsOf(self: ConversationRow, wanted: readonly string[]): Promise<string[]> {
  const { catalog, effective } = await loadToolScope(self);
  const names = new Set(wanted.map((name) => catalog.find(name.trim())?.name ?? ""));
  const found = [...names].filter((name) => name !== "spawn" && effective.has(name));
  if (found.length > 0) return found.sort();
  throw new AppError("invalid", "none of the requested tools are available in the parent registry");
}

type Owner = { workspaceId: string; conversationId: string };

async function findTask(id: string, { workspaceId, conversationId }: Owner): Promise<HandedRef> {
  const known = z.uuid().safeParse(id.trim());
  const byRun = known.success ? await readTask(workspaceId, { runId: known.data }) : undefined;
  const found = byRun ?? (known.success ? await readTask(workspaceId, { conversationId: known.data }) : undefined);
  if (!found) throw new AppError("not_found", `Task not found: ${id}`);
  if (found.parent !== conversationId) throw new AppError("forbidden", "Forbidden: task does not belong to current conversation");
  return found;
}

async function readTask(workspaceId: string, { runId, conversationId }: { runId?: string; conversationId?: string }) {
  const [row] = await db()
    .select({
      runId: runs.id,
      conversationId: runs.conversationId,
      agentId: runs.agentId,
      parent: conversations.parentConversationId,
    })
    .from(runs)
    .innerJoin(conversations, eq(conversations.id, runs.conversationId))
    .where(
      and(
        eq(runs.workspaceId, workspaceId),
        runId ? eq(runs.id, runId) : undefined,
        conversationId ? eq(runs.conversationId, conversationId) : undefined,
      ),
    )
    .limit(1);
  return row;
}
