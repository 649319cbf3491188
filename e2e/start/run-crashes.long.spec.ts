import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { agentEndpoints } from "@/contracts/agents/agents";
import { delegationEndpoints } from "@/contracts/agents/delegation";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { identityEndpoints } from "@/contracts/identity/identity";
import { modelEndpoints } from "@/contracts/models/models";
import { type Run, type RunMessage, runEndpoints } from "@/contracts/runs/runs";
import { type Caller, caller } from "../caller";
import { adminEmail, adminPassword, freePort, type Product, startProduct } from "../product";
import { type AskedCompletion, type AskedMessage, type StreamedReply, startStreamingModelServer } from "../streaming-model-server";

/** Kills of one test: HANDRAIL_RUN_CRASHES=50 for the figure in docs/runs.md. */
const kills = Number(process.env.HANDRAIL_RUN_CRASHES ?? 6);
const seed = Number(process.env.HANDRAIL_RUN_CRASH_SEED ?? Date.now() % 1_000_000);
const latestKillMs = 4_000;
const key = "sk-of-the-crashes";

test(`a server killed at ${kills} random points loses no run, repeats no change, and the history is what the model saw`, async () => {
  test.setTimeout(180_000 + kills * 60_000);
  console.log(`HANDRAIL_RUN_CRASH_SEED=${seed}`);
  const random = makeRandom(seed);
  const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-run-crashes-"));
  const seen = new Map<string, AskedMessage[][]>();
  const model = await startStreamingModelServer({
    key,
    models: ["small"],
    reply: (question) => ({ ...replyTo(question, seen), pauseMs: Math.round(random() * 300) }),
  });
  const port = await freePort();
  const accepted = new Map<string, Run>();
  let product: Product | null = null;
  try {
    for (let round = 0; round <= kills; round++) {
      product = await startProduct({ dataDir, name: "run-crashes", port });
      const admin = await signIn(product.url);
      if (round === 0) await introduce(admin, model.url);
      const isLast = round === kills;
      const work = workOn(admin, round, accepted);
      if (isLast) {
        await work.untilAllRest();
        await verify({ admin, dataDir, accepted, seen, rounds: kills });
        await product.stop();
        product = null;
      } else {
        await pause(random() * latestKillMs);
        await product.kill();
        product = null;
        await work.stop();
      }
    }
  } finally {
    await product?.stop();
    await model.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

const helper = "crash-helper";
/** The last task of a round is the one that is handed to another agent. */
const tasksOf = (round: number) => [`task-${round}-a`, `task-${round}-b`, `task-${round}-c`];
const isHanded = (task: string) => task.endsWith("-c");
const childOf = (task: string) => task.replace("task", "child");

/**
 * Each task appends to a file with approval, starts a background job, waits for it, and appends once more. The last one of a round hands
 * its work to another agent, whose calls need approval too.
 */
function replyTo({ messages }: AskedCompletion, seen: Map<string, AskedMessage[][]>): StreamedReply {
  const spoken = messages.filter(({ role }) => role !== "system");
  const task = /(?:task|child)-\d+-[abc]/.exec(String(spoken[0]?.content))?.[0] ?? "";
  seen.set(task, [...(seen.get(task) ?? []), spoken]);
  const results = spoken.filter(({ role }) => role === "tool");
  const append = (file: string) => ({ id: file, name: "write_file", arguments: { path: file, content: "once\n", mode: "append" } });
  if (isHanded(task)) {
    if (results.length > 0) return { text: `${task} is done.` };
    if (task.startsWith("child")) return { text: "I write.", toolCalls: [append(`.githooks/${task}`)] };
    return { text: "I hand it on.", toolCalls: [{ id: "hand", name: "delegate", arguments: { agentName: helper, task: childOf(task) } }] };
  }
  switch (results.length) {
    case 0:
      return { text: "I write.", toolCalls: [append(`.githooks/${task}`)] };
    case 1: {
      const command = `sleep 0.2; echo once >> job-${task}`;
      return { toolCalls: [{ id: "job", name: "shell_execute", arguments: { command, runInBackground: true } }] };
    }
    case 2: {
      const jobId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(String(results[1]?.content))?.[0] ?? "none";
      return { text: "I wait.", toolCalls: [{ id: "wait", name: "wait", arguments: { jobId, seconds: 20 } }] };
    }
    case 3:
      return { toolCalls: [append(`second-${task}`)] };
    default:
      return { text: `${task} is done.` };
  }
}

async function signIn(url: string): Promise<Caller> {
  const { token } = await caller(url, null).call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
  return caller(url, token);
}

async function introduce(admin: Caller, url: string): Promise<void> {
  await admin.call(modelEndpoints.create, {
    body: { name: "Lab", kind: "openai_compatible", baseUrl: url, key, models: [{ name: "small" }] },
  });
  const agent = await findDefaultAgent(admin);
  const { name = "", description = "", disclosureMode = "none" } = agent ?? {};
  const runLimits = { steps: 50, tokens: 1_000_000, costUsd: null, seconds: 3_600, contextTokens: 100_000, concurrentRuns: 500 };
  await admin.call(agentEndpoints.update, { params: { id: agent?.id ?? "" }, body: { name, description, disclosureMode, runLimits } });
  await admin.call(agentEndpoints.create, { body: { name: helper, description: "Writes files", mayBeAsked: true, runLimits } });
}

const findDefaultAgent = async (admin: Caller) => (await admin.call(agentEndpoints.list)).items.find(({ isDefault }) => isDefault);

/** Starts the tasks that were not accepted before a kill, and approves whatever is asked, until the server is gone or all have ended. */
function workOn(admin: Caller, round: number, accepted: Map<string, Run>) {
  let isStopped = false;
  const open = async () => {
    const agent = await findDefaultAgent(admin);
    const tasks = Array.from({ length: round + 1 }, (_, earlier) => tasksOf(earlier)).flat();
    for (const task of tasks.filter((task) => !accepted.has(task))) {
      const params = { id: agent?.id ?? "" };
      // The key makes the retry safe, when the server was killed before its answer came.
      accepted.set(
        task,
        await admin.call(runEndpoints.start, { params, body: { message: task } }, { headers: { "idempotency-key": task } }),
      );
    }
    const { items } = await admin.call(approvalEndpoints.list, { query: { status: "pending" } });
    for (const { id } of items) await admin.send(approvalEndpoints.decide, { params: { id }, body: { decision: "approve" } });
    const { items: newest } = await admin.call(runEndpoints.list, { query: { limit: 100 } });
    return newest.filter(({ status }) => ["queued", "running", "waiting"].includes(status));
  };
  const working = (async () => {
    for (;;) {
      const left = await open().catch((error: unknown) => (isStopped ? [] : Promise.reject(error)));
      if (isStopped || left.length === 0) return;
      await pause(100);
    }
  })();
  // The kill breaks its requests.
  working.catch(() => {});
  return {
    stop: async () => {
      isStopped = true;
      await working.catch(() => {});
    },
    untilAllRest: () => working,
  };
}

type Evidence = { admin: Caller; dataDir: string; accepted: Map<string, Run>; seen: Map<string, AskedMessage[][]>; rounds: number };

async function verify({ admin, dataDir, accepted, seen, rounds }: Evidence): Promise<void> {
  const { workspace } = await admin.call(identityEndpoints.me);
  expect(accepted.size).toBe((rounds + 1) * 3);
  const told = new Map(accepted);
  for (const [task, { conversationId }] of accepted) {
    const { children } = await admin.call(delegationEndpoints.ofConversation, { params: { id: conversationId } });
    expect(children.length, `children of ${task}`).toBe(isHanded(task) ? 1 : 0);
    for (const { runId } of children) told.set(childOf(task), await admin.call(runEndpoints.get, { params: { id: runId } }));
  }
  let interrupted = 0;
  for (const [task, { id, conversationId }] of told) {
    const run = await admin.call(runEndpoints.get, { params: { id } });
    expect(run, task).toMatchObject({ status: "succeeded", answer: `${task} is done.` });
    const { items } = await admin.call(runEndpoints.messages, { params: { id }, query: { limit: 100 } });
    const folder = path.join(dataDir, "workspaces", workspace.id, "conversations", conversationId);
    for (const file of [`.githooks/${task}`, `second-${task}`, `job-${task}`]) {
      const written = await readFile(path.join(folder, file), "utf8").catch(() => "");
      expect(["", "once\n"], `${file} of ${task}`).toContain(written);
    }
    interrupted += items.filter(({ text }) => /interrupted/i.test(text)).length;
    const story = items.map(asSeen);
    const asked = seen.get(task) ?? [];
    expect(asked.at(-1)?.map(toLine), task).toEqual(story.slice(0, -1));
    // A request after a crash repeats the beginning of what came before; nothing that the model saw was changed later.
    for (const request of asked) expect(request.map(toLine)).toEqual(story.slice(0, request.length));
  }
  console.log(
    `${told.size} runs, ${told.size - accepted.size} of them children, ended after ${rounds} kills; ${interrupted} results say that a call was interrupted`,
  );
}

const asSeen = ({ role, text, toolCalls }: RunMessage): string =>
  line(
    role === "note" || role === "summary" ? "user" : role,
    text,
    toolCalls.map(({ name, arguments: args }) => `${name} ${args}`),
  );

const toLine = ({ role, content, tool_calls = [] }: AskedMessage): string =>
  line(
    role,
    typeof content === "string" ? content : "",
    tool_calls.map(({ function: { name, arguments: args } }) => `${name} ${args}`),
  );

const line = (role: string, text: string, calls: readonly string[]) => [role, text, ...calls].join("\n");

/** Mulberry32: the same seed kills at the same moments. */
function makeRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
