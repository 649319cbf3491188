/** An agent on LangChain. */
import { openConversation, runLangChainCalls, toInstructions } from "@handrail/client";
import { type BaseMessageLike, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { connection, question } from "./settings.ts";

const model = new ChatOpenAI({ model: "gpt-5" });
const conversation = await openConversation(connection);
const messages: BaseMessageLike[] = [["human", question]];

for (let step = 0; step < 20; step++) {
  const listing = await conversation.tools("openai");
  const reply = await model.bindTools(listing.tools).invoke([new SystemMessage(toInstructions(listing)), ...messages]);
  messages.push(reply);
  if (!reply.tool_calls?.length) {
    console.log(reply.text);
    break;
  }
  const results = await runLangChainCalls(conversation, reply.tool_calls);
  messages.push(...results.map((result) => new ToolMessage(result)));
}
