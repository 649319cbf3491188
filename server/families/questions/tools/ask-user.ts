import { z } from "zod";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";

export const askUser = defineTool({
  name: "ask_user",
  title: "Ask the user",
  description:
    "Asks the person behind this conversation a question and waits for the answer. Use it when you cannot go on without knowing.",
  family: "questions",
  tier: "extension",
  // The tool changes nothing; a question repeated after a crash gets the answer that was already given.
  effect: "read",
  approval: { effects: () => [actsInside("asks a person")] },
  needs: [],
  stateful: true,
  names: {
    aliases: ["ask_human", "ask_question", "clarify"],
    parameterAliases: { prompt: "question", text: "question", choices: "options" },
  },
  primaryArgument: "question",
  timeoutMs: 1_800_000,
  input: z.object({
    question: z.string().trim().min(1).max(2_000).describe("The whole question, understandable by itself"),
    options: z.array(z.string().trim().min(1).max(200)).max(20).default([]).describe("Answers to choose from; others stay possible"),
  }),
  async *execute({ question, options }) {
    const answer = yield { ask: question, options };
    return `The user answered: ${answer}`;
  },
});
