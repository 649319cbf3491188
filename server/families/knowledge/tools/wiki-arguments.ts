import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { actsInside, noEffects } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { type RichResult, toolResult } from "@/server/tools/define-tool";
import { fenceExternalText } from "@/server/tools/results/external-text";
import { type KnowledgeCapability, knowledge } from "../knowledge-capability";

/** A text that must be sent; the sentence is the one that models of other systems know. */
export const needed = (name: string, most: number) => {
  const sentence = `${name} is required`;
  return z
    .string({ error: missingOr(sentence, name) })
    .trim()
    .min(1, sentence)
    .max(most, `${name}: at most ${most.toLocaleString("en")} characters`);
};

/** Says of a parameter that was not sent both sentences, ours and theirs. */
export const missingOr =
  (sentence: string, name: string) =>
  ({ input }: { input?: unknown }) =>
    input === undefined ? `${sentence} (missing required param: ${name})` : sentence;

/** Parameter of every tool. */
export const ownAgent = { agentId: z.string().trim().max(100).optional().describe("This agent's id; leave it out") };
/** Parameters of a tool that works in one knowledge base. */
export const ofBase = <F extends z.ZodRawShape>(fields: F) =>
  z.object({
    ...ownAgent,
    ...fields,
    kbName: z.string().trim().max(100).optional().describe("Name of the knowledge base; only with several"),
    kbIdParam: z.string().trim().max(100).optional().describe("Its id, in place of the name"),
  });
export const slug = needed("slug", 200).describe("The page's slug, such as travel-costs");
export const query = needed("query", 500).describe("Words to find");

const ofFamily = { family: "knowledge", tier: "extension", needs: [knowledge] } as const;
/** Declarations of a tool that only reads knowledge bases. */
export const readsPages = { ...ofFamily, effect: "read", approval: noEffects } as const;
/** Declarations of a tool that changes pages or runs of knowledge bases. */
export const writesPages = {
  ...ofFamily,
  effect: "write",
  approval: { effects: () => [actsInside("changes pages of a knowledge base")] },
} as const;

/** The knowledge of another agent is not there for this one. @throws AppError `forbidden` */
export async function requireOwn(knowledge: KnowledgeCapability, given: string | undefined): Promise<void> {
  if (given && given !== (await knowledge.agentId())) {
    throw new AppError("forbidden", "agentId: an agent uses its own knowledge bases only. Leave agentId out.");
  }
}

/** Answers data with text of sources or pages: the model reads it between marks, programs as it is. */
export const fenced = (data: JsonObject, origin: string): RichResult =>
  toolResult({ text: fenceExternalText(JSON.stringify(data), origin), structuredContent: data });
