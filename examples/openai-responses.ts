/** An agent on OpenAI's Responses API. */
import { openConversation, runLoop, runResponseCalls } from "@handrail/client";
import OpenAI from "openai";
import { connection, question } from "./settings.ts";

const openai = new OpenAI();
const conversation = await openConversation(connection);
const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: question }];

const answer = await runLoop(conversation, {
  format: "openai-responses",
  ask: async (tools: OpenAI.Responses.Tool[], instructions) => {
    const response = await openai.responses.create({ model: "gpt-5", tools, instructions, input });
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
    return { calls: response.output.filter(({ type }) => type === "function_call"), answer: response.output_text };
  },
  run: runResponseCalls,
  append: (results) => input.push(...results),
});
console.log(answer);
