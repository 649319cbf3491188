import type { ModelMessage, ModelRequest } from "../model-request";

type Question = Pick<ModelRequest, "instructions" | "messages" | "tools">;

const rules = `You can call tools. To call one, write this and nothing behind it, one block for each call:
<tool_call>
{"name": "the tool", "arguments": {"parameter": "value"}}
</tool_call>
The results come in the next message, in blocks <tool_response>. Never write a <tool_response> yourself. These are the tools, with the JSON schemas of their arguments:`;

/** Describes the tools in the instructions and writes calls and results as text, for a model without calls of its own. */
export function asTextRequest<Asked extends Question>(question: Asked): Asked {
  const { instructions, messages, tools } = question;
  const listed = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, parameters: inputSchema }));
  const described = tools.length > 0 ? [rules, ...listed].join("\n") : "";
  return {
    ...question,
    instructions: [instructions, described].filter((text) => text !== "").join("\n\n"),
    messages: messages.map(asText),
    tools: [],
  };
}

function asText(message: ModelMessage): ModelMessage {
  if (message.role === "user") return message;
  if (message.role === "assistant") {
    const calls = message.toolCalls.map(
      ({ name, arguments: args }) => `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n</tool_call>`,
    );
    return { ...message, text: [message.text, ...calls].filter((text) => text !== "").join("\n"), toolCalls: [], providerData: null };
  }
  const { name, parts, isError } = message;
  const open = `<tool_response name=${JSON.stringify(name)}${isError ? " error" : ""}>`;
  return { role: "user", parts: [{ type: "text", text: open }, ...parts, { type: "text", text: "</tool_response>" }] };
}
