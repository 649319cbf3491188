/** A complete program that connects an agent. */
export type AgentSnippet = {
  id: "curl" | "openai" | "ai-sdk" | "langchain" | "python";
  label: string;
  /** Command that installs the required packages; null when none is required. */
  install: string | null;
  /** File name for the program; null for shell commands. */
  file: string | null;
  code: string;
};

/** Placeholder for an API key that does not exist yet. */
export const keyPlaceholder = "hr_...";

/** Returns one program per library for this server and key. */
export function agentSnippets({ url, key }: { url: string; key: string }): AgentSnippet[] {
  return [
    { id: "openai", label: "OpenAI SDK", install: "npm install openai", file: "agent.mjs", code: openaiSdk(url, key) },
    { id: "ai-sdk", label: "AI SDK", install: "npm install ai @ai-sdk/openai", file: "agent.mjs", code: aiSdk(url, key) },
    {
      id: "langchain",
      label: "LangChain",
      install: "npm install langchain @langchain/core @langchain/openai",
      file: "agent.mjs",
      code: langchain(url, key),
    },
    { id: "python", label: "Python", install: "pip install requests", file: "agent.py", code: python(url, key) },
    { id: "curl", label: "curl", install: null, file: null, code: curl(url, key) },
  ];
}

const question = "What time is it in Paris? Then write a Git hook that says so.";

/** Source text of a function that sends a request and returns its JSON; errors name the next step. */
const handrailFetch = (url: string, key: string) => `const handrail = async (path, body) => {
  const response = await fetch("${url}/api/v1" + path, {
    method: body ? "POST" : "GET",
    headers: { authorization: "Bearer ${key}", "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
};`;

/** Source text that runs calls through the guard and waits for approvals. */
const runCalls = `// A turn is the calls of one model reply. It waits while a call needs approval.
const run = async (calls) => {
  let turn = await handrail(\`/conversations/\${conversation.id}/turns\`, { calls });
  while (turn.status === "running" || turn.status === "suspended") turn = await handrail(\`/turns/\${turn.id}?wait=60\`);
  return turn.calls;
};`;

const openaiSdk = (url: string, key: string) => `import OpenAI from "openai";

${handrailFetch(url, key)}

const openai = new OpenAI(); // reads OPENAI_API_KEY
const conversation = await handrail("/conversations", {});

${runCalls}

const messages = [{ role: "user", content: "${question}" }];
for (;;) {
  const { tools, directory, hints } = await handrail(\`/conversations/\${conversation.id}/tools?format=openai\`);
  const reply = await openai.chat.completions.create({
    model: "gpt-5",
    tools,
    messages: [{ role: "system", content: \`\${directory}\\n\${hints}\` }, ...messages],
  });
  const { message } = reply.choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  const calls = await run(message.tool_calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args })));
  for (const { id, content } of calls) messages.push({ role: "tool", tool_call_id: id, content });
}
console.log(messages.at(-1).content);`;

const aiSdk = (url: string, key: string) => `import { openai } from "@ai-sdk/openai"; // reads OPENAI_API_KEY
import { dynamicTool, generateText, jsonSchema, stepCountIs } from "ai";

${handrailFetch(url, key)}

const conversation = await handrail("/conversations", {});

${runCalls}

const listed = await handrail(\`/conversations/\${conversation.id}/tools?format=mcp\`);
const tools = Object.fromEntries(
  listed.tools.map(({ name, description, inputSchema }) => [
    name,
    dynamicTool({
      description,
      inputSchema: jsonSchema(inputSchema),
      execute: async (input, { toolCallId }) => (await run([{ id: toolCallId, name, arguments: input }]))[0].content,
    }),
  ]),
);

const { text } = await generateText({
  model: openai.chat("gpt-5"),
  tools,
  stopWhen: stepCountIs(20),
  prompt: "${question}",
});
console.log(text);`;

const langchain = (url: string, key: string) => `import { ChatOpenAI } from "@langchain/openai"; // reads OPENAI_API_KEY
import { createAgent, tool } from "langchain";

${handrailFetch(url, key)}

const conversation = await handrail("/conversations", {});

${runCalls}

const listed = await handrail(\`/conversations/\${conversation.id}/tools?format=mcp\`);
const tools = listed.tools.map(({ name, description, inputSchema }) =>
  tool(async (input, { toolCallId }) => (await run([{ id: toolCallId, name, arguments: input }]))[0].content, {
    name,
    description,
    schema: inputSchema,
  }),
);

const agent = createAgent({ model: new ChatOpenAI({ model: "gpt-5" }), tools });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: "${question}" }] });
console.log(messages.at(-1).content);`;

const python = (url: string, key: string) => `import os

import requests


def send(url, key, body=None):
    headers = {"Authorization": f"Bearer {key}"}
    answer = requests.request("GET" if body is None else "POST", url, headers=headers, json=body)
    answer.raise_for_status()
    return answer.json()


def handrail(path, body=None):
    return send("${url}/api/v1" + path, "${key}", body)


def model(body):
    base = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    return send(base + "/chat/completions", os.environ["OPENAI_API_KEY"], {"model": "gpt-5", **body})["choices"][0]["message"]


conversation = handrail("/conversations", {})["id"]


# A turn is the calls of one model reply. It waits while a call needs approval.
def run(calls):
    turn = handrail(f"/conversations/{conversation}/turns", {"calls": calls})
    while turn["status"] in ("running", "suspended"):
        turn = handrail(f"/turns/{turn['id']}?wait=60")
    return turn["calls"]


messages = [{"role": "user", "content": "${question}"}]
while True:
    listed = handrail(f"/conversations/{conversation}/tools?format=openai")
    system = {"role": "system", "content": listed["directory"] + "\\n" + listed["hints"]}
    message = model({"tools": listed["tools"], "messages": [system, *messages]})
    messages.append(message)
    if not message.get("tool_calls"):
        break
    calls = [{"id": call["id"], **call["function"]} for call in message["tool_calls"]]
    messages += [{"role": "tool", "tool_call_id": call["id"], "content": call["content"]} for call in run(calls)]
print(messages[-1]["content"])`;

const curl = (url: string, key: string) => `API=${url}/api/v1
AUTH="Authorization: Bearer ${key}"

# A conversation, then the calls of one model reply. The second call needs approval.
CONVERSATION=$(curl -s "$API/conversations" -H "$AUTH" --json '{}' | cut -d'"' -f4)
TURN=$(curl -s "$API/conversations/$CONVERSATION/turns" -H "$AUTH" --json '{ "calls": [
  { "id": "1", "name": "date_time", "arguments": { "timezone": "Europe/Paris" } },
  { "id": "2", "name": "write_file", "arguments": { "path": ".git/hooks/pre-commit", "content": "date" } } ] }' | cut -d'"' -f4)

# Approve it under Approvals within a minute: this answers with the results.
curl -s "$API/turns/$TURN?wait=60" -H "$AUTH"`;
