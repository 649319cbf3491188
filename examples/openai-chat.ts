/** An agent on OpenAI's chat completions. */
import { openConversation, runChatCalls, runLoop } from "@handrail/client";
import OpenAI from "openai";
import { connection, question } from "./settings.ts";

const openai = new OpenAI();
const conversation = await openConversation(connection);
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];

const answer = await runLoop(conversation, {
  format: "openai",
  ask: async (tools: OpenAI.ChatCompletionTool[], instructions) => {
    const { choices } = await openai.chat.completions.create({
      model: "gpt-5",
      tools,
      messages: [{ role: "system", content: instructions }, ...messages],
    });
    const message = choices[0]?.message;
    if (message) messages.push(message);
    return { calls: message?.tool_calls ?? [], answer: message?.content };
  },
  run: runChatCalls,
  append: (results) => messages.push(...results),
});
console.log(answer);
