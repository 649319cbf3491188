import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk";

/**
 * A small agent program. Its prompts: `say TEXT` answers, `write NAME` asks permission and writes a file, `run COMMAND` asks
 * permission for a command, `die` ends it, `wait` never answers, `read PATH` reads any file that it can reach.
 */
let cwd = "";
const told = [];

async function answer(text, ask, signal) {
  const [word, ...rest] = text.split("\n")[0].split(" ");
  const what = rest.join(" ");
  if (word === "die") process.exit(7);
  if (word === "wait") {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "stopped";
  }
  if (word === "read") {
    try {
      return readFileSync(what, "utf8");
    } catch (error) {
      return `no: ${error.code}`;
    }
  }
  if (word === "write") {
    const file = path.join(cwd, what);
    if (!(await ask({ kind: "edit", title: `Write ${what}`, locations: [{ path: file }] }))) return "not written";
    appendFileSync(file, "from the program\n");
    return `wrote ${what}`;
  }
  if (word === "run") return (await ask({ kind: "execute", title: what, rawInput: { command: what } })) ? "may run" : "may not run";
  if (word === "odd") return (await ask({ kind: "other", title: what })) ? "may" : "may not";
  return what;
}

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const cancelled = new AbortController();

const connection = agent({ name: "small" })
  .onRequest(methods.agent.initialize, ({ params }) => ({ protocolVersion: params.protocolVersion, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    cwd = params.cwd;
    return { sessionId: "s1" };
  })
  .onNotification(methods.agent.session.cancel, () => cancelled.abort())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    let calls = 0;
    const ask = async (toolCall) => {
      calls += 1;
      const call = { toolCallId: `t${calls}`, ...toolCall };
      await client.notify(methods.client.session.update, { sessionId, update: { sessionUpdate: "tool_call", ...call } });
      const { outcome } = await client.request(methods.client.session.requestPermission, { sessionId, toolCall: call, options });
      return outcome.outcome === "selected" && outcome.optionId === "yes";
    };
    const text = await answer(prompt[0].text, ask, cancelled.signal);
    told.push(text);
    for (const part of [text.slice(0, 3), text.slice(3)]) {
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: part } };
      await client.notify(methods.client.session.update, { sessionId, update });
    }
    return { stopReason: cancelled.signal.aborted ? "cancelled" : "end_turn" };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

await connection.closed;
