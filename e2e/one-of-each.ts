import { randomUUID } from "node:crypto";
import { z } from "zod";
import { agentEndpoints } from "@/contracts/agents/agents";
import { topicEndpoints } from "@/contracts/agents/topics";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import type { Endpoint } from "@/contracts/endpoint";
import { grantEndpoints } from "@/contracts/guard/grants";
import { endpoints } from "@/contracts/index";
import { knowledgeEndpoints } from "@/contracts/knowledge/knowledge";
import { knowledgeTransformationEndpoints } from "@/contracts/knowledge/knowledge-transformations";
import { runEndpoints } from "@/contracts/runs/runs";
import { skillEndpoints } from "@/contracts/skills/skills";
import { toolEndpoints } from "@/contracts/tools/tools";
import { turnEndpoints } from "@/contracts/turns/turns";
import type { Callers } from "./fixtures";

/** Ids of the things by the first word of their addresses. */
export type OneOfEach = { ids: ReadonlyMap<string, string>; id: (word: string) => string };

/** The first word of an address behind the version of the API. */
export const wordOf = ({ path }: Pick<Endpoint, "path">): string => path.split("/")[3] ?? "";

/** A body that is right: the contract's own example. */
export function exampleOf(endpoint: Endpoint): Record<string, unknown> {
  const { examples } = z.object({ examples: z.array(z.record(z.string(), z.unknown())).min(1) }).parse(endpoint.body?.meta());
  return examples[0] ?? {};
}

const hasMember = (schema: z.ZodType | undefined, name: string): boolean =>
  schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name);

/** The examples of these have an effect on calls of the other tests and cannot be switched off. */
const actOnCalls: readonly Endpoint["path"][] = [grantEndpoints.create.path, toolEndpoints.list.path];

/** Endpoints that make a thing of its own out of nothing. */
const creating = Object.values(endpoints)
  .flatMap((group): Endpoint[] => Object.values(group))
  .filter(({ method, status, path }) => method === "POST" && status === 201 && !path.includes("{") && !actOnCalls.includes(path))
  .filter(({ body, response }) => body && hasMember(response, "id"));

/** Members by which things of one kind are told apart. */
const distinct = ["name", "alias", "email", "externalId"];

/** The example with names that nothing else has, switched off where it can be; an id in it is that of an agent. */
function bodyOf(endpoint: Endpoint, agentId: string | undefined): unknown {
  const unique = `o${randomUUID().slice(0, 7)}`;
  const own = Object.entries(exampleOf(endpoint)).map(([name, value]) => [name, distinct.includes(name) ? `${unique}${value}` : value]);
  const body = { ...Object.fromEntries(own), ...(hasMember(endpoint.body, "enabled") ? { enabled: false } : {}) };
  return JSON.parse(JSON.stringify(body).replaceAll("00000000-0000-7000-8000-000000000000", agentId ?? ""));
}

/**
 * Makes a thing of each kind in the workspace, of the examples of their contracts; approvals, runs, turns and what a topic keeps come of
 * work. Writing a file must ask.
 */
export async function makeOneOfEach({ admin, agent }: Callers): Promise<OneOfEach> {
  const ids = new Map<string, string>();
  const id = (word: string): string => ids.get(word) ?? `nothing of the kind ${word} was made`;
  for (const endpoint of creating) {
    const response = await admin.send(endpoint as Endpoint & { body: z.ZodType }, { body: bodyOf(endpoint, ids.get("agents")) } as never);
    if (!response.ok) throw new Error(`${endpoint.path} refuses the example of its contract: ${await response.text()}`);
    ids.set(wordOf(endpoint), z.object({ id: z.string() }).parse(await response.json()).id);
  }
  const unique = randomUUID().slice(0, 8);
  const runner = { name: `runner-${unique}`, models: [{ providerId: id("model-providers"), model: "ours" }] };
  const { id: runnerId } = await admin.call(agentEndpoints.create, { body: runner });
  // The provider is disabled, so the run fails at once.
  const run = await admin.call(runEndpoints.start, { params: { id: runnerId }, body: { message: "Hello" } });
  const grant = await admin.call(grantEndpoints.create, {
    body: { scope: "workspace", tool: "write_file", match: { kind: "pattern", parameter: "path", pattern: `^ours-${unique}$` } },
  });
  await admin.call(topicEndpoints.createWatch, {
    params: { id: id("topics") },
    body: { name: `ours ${unique}`, agent: id("agents"), prompt: "{content}", filterSender: "nobody" },
  });
  await admin.call(topicEndpoints.send, { params: { id: id("topics") }, body: { text: "Ours" } });
  await makeKnowledge(admin, id("knowledge-bases"), (word, made) => ids.set(word, made));
  const [tool] = (await admin.call(toolEndpoints.list)).items;
  const conversation = await agent.call(conversationEndpoints.create, { body: {} });
  const turn = await agent.call(turnEndpoints.submit, {
    params: { id: conversation.id },
    body: { calls: [{ id: "write", name: "write_file", arguments: { path: "a.txt", content: "a" } }] },
  });
  const [approval] = (await admin.call(approvalEndpoints.list, { query: { conversationId: conversation.id } })).items;
  const skillText = `---\nname: ours-${unique}\ndescription: Ours.\n---\n\nOurs.\n`;
  const [skill] = (await admin.call(skillEndpoints.install, { body: { source: { type: "text", text: skillText } } })).items;
  const ofWork = { runs: run.id, chats: run.conversationId, grants: grant.id, conversations: conversation.id, turns: turn.id };
  for (const [word, found] of Object.entries({ ...ofWork, skills: skill?.id, tools: tool?.id, approvals: approval?.id }))
    if (found) ids.set(word, found);
  return { ids, id };
}

/** The things that a knowledge base keeps. */
async function makeKnowledge(admin: Callers["admin"], base: string, keep: (word: string, id: string) => void): Promise<void> {
  const params = { id: base };
  keep("knowledge-sources", (await admin.call(knowledgeEndpoints.addText, { params, body: { name: "ours.md", text: "Ours" } })).id);
  keep("knowledge-pages", (await admin.call(knowledgeEndpoints.createPage, { params, body: { title: "Ours", content: "Ours" } })).id);
  const body = { name: "Ours", prompt: "{input_text}" };
  keep("knowledge-transformations", (await admin.call(knowledgeTransformationEndpoints.create, { params, body })).id);
}
