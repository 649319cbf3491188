/** An agent on the AI SDK, which runs the loop itself. */
import { createOpenAI } from "@ai-sdk/openai";
import { executableTools, openConversation, type ToolOutput } from "@handrail/client";
import { dynamicTool, generateText, jsonSchema, stepCountIs } from "ai";
import { connection, question } from "./settings.ts";

const openai = createOpenAI();
const conversation = await openConversation(connection);
const { tools, instructions, refresh } = await executableTools(conversation, ({ description, inputSchema }, execute) =>
  dynamicTool({
    ...(description ? { description } : {}),
    inputSchema: jsonSchema(inputSchema),
    execute: (input, { toolCallId }) => execute(input, toolCallId),
    toModelOutput: ({ output }) => {
      const { text, images } = output as ToolOutput;
      const shown = images.map((url) => ({ type: "file" as const, mediaType: "image", data: { type: "url" as const, url: new URL(url) } }));
      return { type: "content", value: [{ type: "text", text }, ...shown] };
    },
  }),
);

const { text } = await generateText({
  model: openai.responses("gpt-5"),
  tools,
  instructions,
  prompt: question,
  stopWhen: stepCountIs(20),
  // The loop reads `tools` before each step, and refresh adds what enable_tool activated.
  prepareStep: async () => ({ instructions: await refresh() }),
});
console.log(text);
