import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Run } from "@/contracts/runs/runs";
import type { Db } from "@/db/client";
import { agents, agentTools, tools } from "@/db/schema";
import type { AgentObserver } from "@/server/agents/agent-observers";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { type AnyTool, defineTool } from "@/server/tools/define-tool";
import { listedRow } from "@/server/tools/sync-tools";
import type { StoredTool, StoredToolSource } from "@/server/tools/tool-sources";
import { answerChars, childResult } from "./child-result";
import { delegation } from "./delegation-capability";
import { childTimeoutMs, plainWait, progressOf, Task } from "./tools/delegate";

type OfferedAgent = Pick<typeof agents.$inferSelect, "id" | "name" | "description">;

const maxNameChars = 64;
const maxDescriptionChars = 380;

/** Returns the name of the tool that stands for an agent. Two adjacent underscores would make it look like an MCP tool. */
export const agentToolName = (name: string): string => `agent_${name}`.replace(/_{2,}/g, "_").slice(0, maxNameChars);

/** Agents that are offered as tools: a row of `tools` each, whose raw name is the agent's id. */
export const agentToolSource: StoredToolSource = { source: "agent", load: loadAgentTools };

async function loadAgentTools(workspaceId: string): Promise<ReadonlyMap<string, StoredTool>> {
  const rows = await db()
    .select({ toolId: tools.id, id: agents.id, name: agents.name, description: agents.description })
    .from(tools)
    .innerJoin(agents, and(eq(agents.workspaceId, tools.workspaceId), sql`${agents.id}::text = ${tools.rawName}`))
    .where(and(eq(tools.workspaceId, workspaceId), eq(tools.source, "agent")));
  return new Map(rows.map(({ toolId, ...agent }) => [toolId, { tool: makeAgentTool(agent), sourceName: null }]));
}

/** Makes the tool that hands a task to one agent. */
export function makeAgentTool({ id, name, description }: OfferedAgent): AnyTool {
  const what = description.trim() === "" ? "" : ` ${description.trim()}`;
  const tool = defineTool({
    name: agentToolName(name),
    title: `Ask the agent ${name}`,
    description: `Hands a task to the agent ${name} and waits for its answer.${what}`.slice(0, maxDescriptionChars).toWellFormed(),
    family: "delegation",
    tier: "core",
    effect: "write",
    approval: { effects: () => [actsInside("hands a task to another agent")] },
    needs: [delegation],
    names: { parameterAliases: { prompt: "task", message: "task" } },
    primaryArgument: "task",
    recovery: { idempotent: true },
    running: { concurrencySafe: true, backgroundable: true },
    timeoutMs: childTimeoutMs,
    result: { resultChars: answerChars },
    input: z.object({ task: Task }),
    async execute({ task }, { delegation, signal, timeoutMs, progress, waitElsewhere = plainWait }) {
      const limits = { seconds: Math.ceil(timeoutMs / 1_000) };
      const child = await delegation.handToTool(id, { message: task, isAwaited: true, limits });
      const onChange = (run: Run) => progress(progressOf(run));
      return childResult(await waitElsewhere(() => delegation.awaitEnd(child.runId, { signal, onChange })));
    },
  });
  return { ...tool, source: "agent", rawName: id };
}

/** Keeps the tool of an agent like the agent: there while it is offered, under its name, with the ticks of other agents. */
export const followAgent: AgentObserver = async (tx, { workspaceId, agentId }) => {
  const [agent] = await tx.select().from(agents).where(eq(agents.id, agentId));
  const ofAgent = and(eq(tools.workspaceId, workspaceId), eq(tools.source, "agent"), eq(tools.rawName, agentId));
  const [known] = await tx.select().from(tools).where(ofAgent);
  if (!agent?.offeredAsTool) {
    if (known) await tx.delete(tools).where(eq(tools.id, known.id));
    return;
  }
  const row = listedRow({ workspaceId, mcpServerId: null }, makeAgentTool(agent));
  if (known?.name !== row.name) await refuseTakenName(tx, workspaceId, row.name);
  if (!known) return void (await tx.insert(tools).values(row));
  const { defaultTier: _, ...changed } = row;
  await tx
    .update(tools)
    .set({ ...changed, version: sql`${tools.version} + 1` })
    .where(eq(tools.id, known.id));
  if (known.name !== row.name) await renameTicks(tx, workspaceId, { from: known.name, to: row.name });
};

/** @throws AppError `conflict` when a call of the name would reach another tool */
async function refuseTakenName(tx: Db, workspaceId: string, name: string): Promise<void> {
  const [other] = await tx
    .select({ name: tools.name })
    .from(tools)
    .where(and(eq(tools.workspaceId, workspaceId), sql`(${tools.name} = ${name} or ${tools.aliases} ? ${name})`))
    .limit(1);
  if (!other) return;
  throw new AppError("conflict", `The agent cannot be offered as ${name}, because a tool has that name. Rename the agent or the tool.`, {
    errors: [{ path: "offeredAsTool", message: `the name ${name} is taken` }],
  });
}

async function renameTicks(tx: Db, workspaceId: string, { from, to }: { from: string; to: string }): Promise<void> {
  const ofWorkspace = sql`${agentTools.agentId} in (select ${agents.id} from ${agents} where ${agents.workspaceId} = ${workspaceId})`;
  await tx
    .update(agentTools)
    .set({ toolName: to })
    .where(and(eq(agentTools.toolName, from), ofWorkspace));
}
