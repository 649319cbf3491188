/** An agent on OpenAI's chat completions. */
import { openConversation, runChatCalls, toInstructions } from "@handrail/client";
import OpenAI from "openai";
import { connection, question } from "./settings.ts";

const openai = new OpenAI();
const conversation = await openConversation(connection);
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];

for (let step = 0; step < 20; step++) {
  // Asked before every step, because enable_tool adds tools.
  const listing = await conversation.tools<OpenAI.ChatCompletionTool>("openai");
  const { choices } = await openai.chat.completions.create({
    model: "gpt-5",
    tools: listing.tools,
    messages: [{ role: "system", content: toInstructions(listing) }, ...messages],
  });
  const message = choices[0]?.message;
  if (!message) break;
  messages.push(message);
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
  messages.push(...(await runChatCalls(conversation, message.tool_calls)));
}
