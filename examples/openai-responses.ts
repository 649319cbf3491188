/** An agent on OpenAI's Responses API. */
import { openConversation, runResponseCalls, toInstructions } from "@handrail/client";
import OpenAI from "openai";
import { connection, question } from "./settings.ts";

const openai = new OpenAI();
const conversation = await openConversation(connection);
const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: question }];

for (let step = 0; step < 20; step++) {
  const listing = await conversation.tools<OpenAI.Responses.Tool>("openai-responses");
  const response = await openai.responses.create({ model: "gpt-5", tools: listing.tools, instructions: toInstructions(listing), input });
  input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
  if (!response.output.some(({ type }) => type === "function_call")) {
    console.log(response.output_text);
    break;
  }
  input.push(...(await runResponseCalls(conversation, response.output)));
}
