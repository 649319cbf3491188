import { setTimeout as pause } from "node:timers/promises";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { Turn, turnEndpoints } from "@/contracts/turns/turns";
import { buildPath } from "../caller";
import type { Cluster } from "./cluster";
import type { CountingServer } from "./counting-server";
import { type Random, randomFrom } from "./random";
import { type RetryLog, retryUntilAnswered } from "./retry-until-answered";

/** The effect of a call, and the place where it leaves its id. */
export const kinds = ["shell", "file", "asked", "look", "put", "book"] as const;
export type Kind = (typeof kinds)[number];

/** Where each kind leaves a line: a file of the conversation's folder, or the counting server. */
export const fileOf: Partial<Record<Kind, string>> = { shell: "shell.txt", file: "file.txt", asked: "asked.txt" };

export type Submission = { conversationId: string; key: string; calls: { id: string; kind: Kind }[] };
export type LoadResult = {
  conversations: string[];
  submissions: Submission[];
  /** How often each status was answered; `broken` for connections that broke. */
  answers: Record<string, number>;
  /** Answers that no client should ever see. */
  complaints: string[];
};

export type Load = { result: LoadResult; stop: () => Promise<LoadResult> };

type Wanted = { seed: number; clients: number; conversations: number; counter: CountingServer };

/** Rules, the counting server and conversations for turns that come from many clients. */
export async function prepareLoad(cluster: Cluster, counter: CountingServer, conversations: number): Promise<string[]> {
  const { admin, agent } = cluster;
  await admin.call(guardEndpoints.updateConfig, { body: { defaultPolicy: "allow" } });
  await admin.call(guardEndpoints.createRule, {
    body: { name: "Asked", tool: "write_file", parameter: "path", pattern: "^asked", verdict: "require_approval", priority: 900 },
  });
  await connectCounter(cluster, counter);
  const made = Array.from({ length: conversations }, async () => (await agent.call(conversationEndpoints.create, { body: {} })).id);
  return Promise.all(made);
}

/** Gives every agent the tools of the counting server. */
export async function connectCounter({ admin }: Cluster, counter: CountingServer): Promise<void> {
  const server = await admin.call(mcpServerEndpoints.create, {
    body: { alias: "counter", transport: "streamable_http", url: counter.url, tier: "core", trustHints: true },
  });
  const deadline = Date.now() + 30_000;
  while ((await admin.call(mcpServerEndpoints.get, { params: { id: server.id } })).status !== "connected") {
    if (Date.now() > deadline) throw new Error("the counting server was not connected within 30 s");
    await pause(50);
  }
}

/** Clients that submit one turn after the other, come again with the same key whenever an answer does not come, and decide what is asked. */
export async function startLoad(cluster: Cluster, { seed, clients, conversations, counter }: Wanted): Promise<Load> {
  const ids = await prepareLoad(cluster, counter, conversations);
  const result: LoadResult = { conversations: ids, submissions: [], answers: {}, complaints: [] };
  let stopped = false;
  const working = Array.from({ length: clients }, async (_, client) => {
    const random = randomFrom(seed * 1_000 + client);
    const conversationId = ids[client % ids.length] ?? "";
    for (let turn = 0; !stopped; turn++) {
      const submission = compose(random, { conversationId, key: `${seed}-${client}-${turn}` });
      result.submissions.push(submission);
      await submitAndFinish(cluster, submission, random, result).catch((error) => result.complaints.push(`${submission.key}: ${error}`));
    }
  });
  return {
    result,
    async stop() {
      stopped = true;
      await Promise.all(working);
      return result;
    },
  };
}

function compose(random: Random, { conversationId, key }: { conversationId: string; key: string }): Submission {
  const calls = Array.from({ length: 1 + random.integer(4) }, (_, place) => ({ id: `${key}-${place}`, kind: random.pick(kinds) }));
  return { conversationId, key, calls };
}

async function submitAndFinish(cluster: Cluster, submission: Submission, random: Random, insistence: RetryLog): Promise<void> {
  const { agent } = cluster;
  const submitted = await retryUntilAnswered(
    agent,
    insistence,
    buildPath(turnEndpoints.submit.path, { params: { id: submission.conversationId } }),
    {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": submission.key },
      body: JSON.stringify({ calls: submission.calls.map((call) => asSubmitted(call, random.integer(40))), wait: 10 }),
    },
  );
  let turn = Turn.parse(submitted.body);
  const deadline = Date.now() + 240_000;
  while (turn.status === "running" || turn.status === "suspended") {
    if (Date.now() > deadline) throw new Error(`turn ${turn.id} was still ${turn.status} after four minutes`);
    if (turn.status === "suspended") await decide(cluster, turn, random, insistence);
    const path = buildPath(turnEndpoints.get.path, { params: { id: turn.id }, query: { wait: 10 } });
    turn = Turn.parse((await retryUntilAnswered(agent, insistence, path)).body);
  }
}

function asSubmitted({ id, kind }: { id: string; kind: Kind }, ms: number) {
  switch (kind) {
    case "shell":
      return { id, name: "shell_execute", arguments: { command: `sleep ${ms / 1_000}; echo ${id} >> ${fileOf.shell}` } };
    case "file":
      return { id, name: "write_file", arguments: { path: fileOf.file, content: `${id}\n`, mode: "append" } };
    case "asked":
      return { id, name: "write_file", arguments: { path: fileOf.asked, content: `${id}\n`, mode: "append" } };
    default:
      return { id, name: `counter__${kind}`, arguments: { id, ms } };
  }
}

/** Somebody may have decided already: we ourselves, when the answer to that did not come. */
async function decide({ admin }: Cluster, turn: Turn, random: Random, insistence: RetryLog): Promise<void> {
  const id = turn.calls.find(({ status }) => status === "awaiting_approval")?.approvalId;
  // The turn went on between the looks at its row and at its calls: asked again, it says so.
  if (!id) return;
  await retryUntilAnswered(admin, insistence, buildPath(approvalEndpoints.decide.path, { params: { id } }), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: random.chance(0.8) ? "approve" : "reject" }),
    mayBe: [409],
  });
}
