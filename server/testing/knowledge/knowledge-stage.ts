import { expect } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { KnowledgeBaseDraft } from "@/contracts/knowledge/knowledge";
import type { CallScope } from "@/server/capabilities/define-capability";
import { knowledge } from "@/server/families/knowledge/knowledge-capability";
import { createBase } from "@/server/families/knowledge/manage-bases";
import type { AgentModelCapability } from "@/server/models/agent-model";
import { isRichResult, type ToolResult } from "@/server/tools/define-tool";
import { authorize } from "../builders";
import { builtinTools } from "../builtin-tools";
import { runTool } from "../run-tool";
import type { Stage } from "../stage";

/** Settings of a knowledge base that no agent may use. */
export const unsharedBase: KnowledgeBaseDraft = {
  name: "Handbook",
  description: "",
  mode: "lazy",
  agents: [],
  writerAgentId: null,
  watchedFolder: null,
  embeddingModel: null,
};

/** Creates a knowledge base as the stage's admin, and returns its id. */
export async function buildBase({ built }: Stage, settings: Partial<KnowledgeBaseDraft> = {}): Promise<string> {
  return (await createBase(authorize(built.admin, "knowledge:write"), { ...unsharedBase, ...settings })).id;
}

/** Lets the stage's agent write pages of every type. */
export const agentWrites = ({ built }: Stage): KnowledgeBaseDraft["agents"] => [
  { agentId: built.agent.id, access: "write", pageTypes: [] },
];

type Given = { model?: AgentModelCapability };

/** Runs a wiki tool as the stage's agent. */
export function runWikiTool({ built, conversationId }: Stage, name: string, args: JsonObject, given: Given = {}): Promise<ToolResult> {
  const tool = builtinTools.find((other) => other.name === name);
  if (!tool) throw new Error(`There is no tool ${name}`);
  const scope = { conversationId, workspaceId: built.workspace.id } as unknown as CallScope;
  return runTool(tool, args, { knowledge: knowledge.create(scope), ...given });
}

/** Runs a wiki tool as the stage's agent, and returns the result for programs; text of pages must be fenced in the model's result. */
export async function callWikiTool(...call: Parameters<typeof runWikiTool>): Promise<JsonObject> {
  const result = await runWikiTool(...call);
  if (!isRichResult(result)) return result as JsonObject;
  expect(result.text).toMatch(/^<external-\w+>\n[\s\S]*\n<\/external-\w+>\n\[The text between the marks comes from /);
  return result.structuredContent as JsonObject;
}
