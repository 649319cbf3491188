import { eq } from "drizzle-orm";
import { agents, modelProviders } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { buildAgent } from "../builders";
import { addBuiltinTools } from "../builtin-tools";
import type { Stage } from "../stage";
import { type ModelServerRequest, startModelServer } from "./model-protocol-server";
import type { ScriptedAnswer } from "./model-protocols";
import { sentTexts } from "./run-stage";

/** A request of one agent: its messages without the system's, each as `role: text`, and how often it was asked before. */
export type AgentRequest = { texts: string[]; last: string; place: number; request: ModelServerRequest };

/** What each agent's model answers, by the agent's name. */
export type AgentScripts = Record<string, (request: AgentRequest) => ScriptedAnswer>;

type Values = Partial<typeof agents.$inferInsert>;

/**
 * Gives the stage builtin tools, and agents whose models answer by a script each. `default` is the stage's own agent; the
 * others may be asked by other agents.
 */
export async function useAgents(stage: Stage, scripts: AgentScripts, values: Record<string, Values> = {}) {
  const { workspace, agent } = stage.built;
  const asked = new Map<string, number>();
  const server = await startModelServer((request) => {
    const [system = "", ...texts] = sentTexts(request);
    const name = /I am (\w+)\./.exec(system)?.[1] ?? "";
    const script = scripts[name];
    if (!script) throw new Error(`No script for ${name}`);
    const place = asked.get(name) ?? 0;
    asked.set(name, place + 1);
    return script({ texts, last: texts.at(-1) ?? "", place, request });
  });
  await addBuiltinTools(workspace.id);
  const id = newId();
  await db()
    .insert(modelProviders)
    .values({
      id,
      workspaceId: workspace.id,
      name: `Provider ${id}`,
      kind: "openai_compatible",
      baseUrl: server.baseUrl("openai_compatible"),
      keySealed: null,
      models: [{ name: "test-model", inputPrice: null, cachedInputPrice: null, outputPrice: null }],
      position: 0,
    });
  const ids: Record<string, string> = { default: agent.id };
  for (const name of Object.keys(scripts)) {
    const more = { instructions: `I am ${name}.`, ...values[name] };
    if (name === "default") await db().update(agents).set(more).where(eq(agents.id, agent.id));
    else ids[name] = (await buildAgent(workspace.id, { name, mayBeAsked: true, description: `Does ${name} work`, ...more })).id;
  }
  await db().transaction((tx) => bumpConfigVersion(tx, workspace.id));
  return { server, ids };
}
