/** An agent on OpenAI's Agents SDK, which runs the loop itself. */
import { executableTools, openConversation } from "@handrail/client";
import { Agent, OpenAIResponsesModel, run, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { connection, question } from "./settings.ts";

setTracingDisabled(true);
const conversation = await openConversation(connection);
const { tools, refresh } = await executableTools(conversation, ({ name, description = "", inputSchema }, execute) =>
  tool({
    name,
    description,
    parameters: inputSchema as never,
    strict: false,
    execute: async (input, _context, details) => {
      const { text, images } = await execute(input, details?.toolCall?.callId ?? crypto.randomUUID());
      return [{ type: "text" as const, text }, ...images.map((image) => ({ type: "image" as const, image }))];
    },
  }),
);

/** Lists its tools anew before every step, because enable_tool adds tools. */
class HandrailAgent extends Agent {
  override async getAllTools() {
    await refresh();
    return Object.values(tools);
  }
}

const agent = new HandrailAgent({
  name: "assistant",
  instructions: refresh,
  model: new OpenAIResponsesModel(new OpenAI() as never, "gpt-5"),
});
const { finalOutput } = await run(agent, question, { maxTurns: 20 });
console.log(finalOutput);
