import { z } from "zod";
import { noEffects } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { contradictedIds, type FactRow, findContradictions, trustNow } from "../facts";
import { memory } from "../memory-capability";
import { memoryEffects, requireOwn } from "./file-tools";

const family = "memory";
const agentId = z.string().trim().max(100).optional().describe("This agent's id; leave it out");
const maxFacts = 50;

const shown = ({ id, subject, statement, source, confirmedAt, updatedAt, ...fact }: FactRow) => ({
  ...{ id, subject, statement, source },
  trust: Math.round(trustNow(fact) * 100) / 100,
  confirmed: confirmedAt !== null,
  updateTime: updatedAt.toISOString(),
});

export const rememberFact = defineTool({
  name: "remember_fact",
  title: "Remember a fact",
  description:
    "Remembers a statement about a narrow subject for this person, as a fact that people can confirm. A different statement of the same subject is kept beside it as a contradiction; send replaces only when the person said which fact is wrong.",
  family,
  tier: "extension",
  effect: "write",
  needs: [memory],
  // The guard takes an argument named statement for SQL.
  names: { parameterAliases: { statement: "content", fact: "content" } },
  primaryArgument: "subject",
  input: z.object({
    agentId,
    subject: z.string().trim().min(1, "needs a subject").max(200).describe("Such as: Home city of Ann"),
    content: z.string().trim().min(1, "needs a statement").max(500).describe("Such as: Ann lives in Berlin"),
    source: z.string().trim().max(200).optional().describe("Where it comes from"),
    replaces: z.uuid("must be the id of a fact").optional().describe("Id of the fact that the person said is wrong"),
  }),
  approval: memoryEffects,
  async execute({ agentId, subject, content, source = null, replaces = null }, { memory }) {
    await requireOwn(memory, agentId);
    const fact = await memory.addFact({ subject, statement: content, source, replaces });
    const isContradicted = contradictedIds(await memory.facts()).has(fact.id);
    const message = isContradicted
      ? "Remembered beside a fact that says something else. Ask the person which is true."
      : "Remembered. A person may confirm it.";
    return { success: true, id: fact.id, contradicted: isContradicted, message };
  },
});

export const factProbe = defineTool({
  name: "fact_probe",
  title: "Look up facts",
  description:
    "Lists remembered facts with their trust; with a query the fitting ones, best first. Trust halves in 60 days without a confirmation.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  approval: noEffects,
  names: { parameterAliases: { subject: "query" } },
  primaryArgument: "query",
  input: z.object({ agentId, query: z.string().trim().max(200).default("").describe("Words of the fact; empty for all") }),
  async execute({ agentId, query }, { memory }) {
    const own = await requireOwn(memory, agentId);
    const contradicted = contradictedIds(await memory.facts());
    const found = await memory.facts(query);
    const facts = found.slice(0, maxFacts).map((fact) => ({ ...shown(fact), contradicted: contradicted.has(fact.id) }));
    return { agentId: own, count: found.length, facts };
  },
});

export const factListContradictions = defineTool({
  name: "fact_list_contradictions",
  title: "List contradictions",
  description: "Lists subjects of which remembered facts say different things. Ask the person which is true; never choose by yourself.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  approval: noEffects,
  input: z.object({ agentId }),
  async execute({ agentId }, { memory }) {
    const own = await requireOwn(memory, agentId);
    const groups = findContradictions(await memory.facts());
    const contradictions = groups.slice(0, maxFacts).map((facts) => ({ subject: facts[0]?.subject ?? "", facts: facts.map(shown) }));
    return { agentId: own, count: groups.length, contradictions };
  },
});
