/** An agent on LangChain. */
import { openConversation, runLangChainCalls, runLoop } from "@handrail/client";
import { type BaseMessageLike, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { connection, question } from "./settings.ts";

const model = new ChatOpenAI({ model: "gpt-5" });
const conversation = await openConversation(connection);
const messages: BaseMessageLike[] = [["human", question]];

const answer = await runLoop(conversation, {
  format: "openai",
  ask: async (tools: Record<string, unknown>[], instructions) => {
    const reply = await model.bindTools(tools).invoke([new SystemMessage(instructions), ...messages]);
    messages.push(reply);
    return { calls: reply.tool_calls ?? [], answer: reply.text };
  },
  run: runLangChainCalls,
  append: (results) => messages.push(...results),
});
console.log(answer);
