import { setTimeout as pause } from "node:timers/promises";
import { codingAgentEndpoints } from "../contracts/agents/coding-agents";
import { approvalEndpoints } from "../contracts/approvals/approvals";
import { identityEndpoints } from "../contracts/identity/identity";
import { caller } from "../e2e/caller";
import { everydaySession } from "../server/testing/coding-agents/everyday-session";
import { type Answer, Connection, requestBytes } from "./connection";
import type { Target } from "./load";
import { type Line, megabytes, milliseconds } from "./report";
import { scaled } from "./scale";
import { median } from "./statistics";
import { type Given, turnRequest, withProduct } from "./with-product";

const held = scaled(500, 50);
const settleMs = 5_000;
const asks = "cat /etc/passwd";
const harmless = "git status";

/** Cost of the calls of coding agents: allowed ones through a dialect, held ones, and those that people decide. */
export const codingAgents = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const { hook, key } = await connectHook(given);
    return [await allowed(given, hook), await everyday(given, key), ...(await waiting(given, hook))];
  });

type Hook = (command: string) => Buffer;

async function connectHook({ admin, product }: Given): Promise<{ hook: Hook; key: string }> {
  const { key } = await admin.call(identityEndpoints.createApiKey, { body: { name: "Bench", scopes: ["guard:ask"] } });
  return { hook: hookOf(product.port, key), key };
}

/** Allowed calls of Claude Code, each with an id of its own. */
export async function hookTarget(given: Given): Promise<Target> {
  const { hook } = await connectHook(given);
  return { port: given.product.port, requestOf: () => hook(harmless), expects: '"allow"' };
}

/** The bytes of a question of Claude Code, each with an id of its own. */
function hookOf(port: number, key: string): Hook {
  let asked = 0;
  return (command) => {
    asked += 1;
    const about = { session_id: "bench", cwd: "/home/ada/shop", hook_event_name: "PreToolUse", permission_mode: "default" };
    const body = { ...about, tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${asked}` };
    const path = "/agent-hooks/claude-code?timeout=3600&home=/home/ada&onFailure=block";
    return requestBytes(port, { method: "POST", path, headers: { authorization: `Bearer ${key}` }, body });
  };
}

function mustAllow({ status, body }: Answer): void {
  if (status !== 200 || !body.includes('"allow"')) throw new Error(`a call was not allowed (${status}): ${body.toString().slice(0, 500)}`);
}

async function allowed({ product: { port }, conversations, asAgent }: Given, hook: Hook): Promise<Line> {
  const [conversation = ""] = await conversations(1);
  const turn = turnRequest(port, conversation, asAgent, "date_time", {});
  const connection = await Connection.open(port);
  const timed = async (request: Buffer) => {
    const before = performance.now();
    const answer = await connection.send(request);
    return { answer, ms: performance.now() - before };
  };
  const ratios: number[] = [];
  const [turns, hooks]: [number[], number[]] = [[], []];
  for (let round = -1; round < scaled(10, 2); round += 1) {
    const [ofTurns, ofHooks]: [number[], number[]] = [[], []];
    for (let call = 0; call < 100; call += 1) {
      ofTurns.push((await timed(turn)).ms);
      const { answer, ms } = await timed(hook(harmless));
      mustAllow(answer);
      ofHooks.push(ms);
    }
    if (round < 0) continue;
    ratios.push(median(ofHooks) / median(ofTurns));
    turns.push(...ofTurns);
    hooks.push(...ofHooks);
  }
  connection.close();
  const ratio = median(ratios);
  return {
    measured: "allowed call through a dialect, 1 caller, p50 / date_time as a turn",
    ours: milliseconds(median(hooks)),
    anchor: milliseconds(median(turns)),
    ratio,
    target: "<= 1.3",
    isMet: ratio <= 1.3,
  };
}

async function everyday({ product: { url } }: Given, key: string): Promise<Line> {
  const client = caller(url, key);
  const verdicts: string[] = [];
  for (const [place, call] of everydaySession.entries()) {
    const [tool, input] = typeof call === "string" ? (["Bash", { command: call }] as const) : call;
    const about = {
      client: "claude-code",
      session: "day",
      folder: "/home/ada/shop",
      home: "/home/ada",
      callId: `c${place}`,
      wait: 0,
    } as const;
    verdicts.push((await client.call(codingAgentEndpoints.ask, { body: { ...about, tool, input } })).verdict);
  }
  const count = (verdict: string) => verdicts.filter((one) => one === verdict).length;
  const [cards, denials] = [count("pending"), count("deny")];
  return {
    measured: `${verdicts.length} everyday calls of a session, cards and false denials`,
    ours: `${cards} and ${denials}`,
    target: "<= 3 and 0",
    isMet: cards <= 3 && denials === 0,
  };
}

async function waiting({ product, admin }: Given, hook: Hook): Promise<Line[]> {
  const { port } = product;
  const inspector = await product.inspector();
  const state = async () => {
    await pause(settleMs);
    const { heapUsed, external, timers } = await inspector.memory();
    return { bytes: heapUsed + external, timers };
  };
  try {
    // A server that has worked has a larger heap than a fresh one: as many calls are held and left first.
    await leave(await hold(port, hook, held, "warm-up"));
    const before = await state();
    const calls = await hold(port, hook, held, "held");
    const after = await state();
    const took: number[] = [];
    for (let round = 0; round < scaled(50, 5); round += 1) {
      const [call] = await hold(port, hook, 1, `decided ${round}`);
      const { items } = await admin.call(approvalEndpoints.list, { query: { status: "pending", limit: 1 } });
      const [card] = items;
      if (!call || !card) throw new Error("a held call has no card");
      const decidedAt = performance.now();
      const [answer] = await Promise.all([
        call.answer.then((answer) => ({ answer, ms: performance.now() - decidedAt })),
        admin.call(approvalEndpoints.decide, { params: { id: card.id }, body: { decision: "approve", comment: "" } }),
      ]);
      mustAllow(answer.answer);
      took.push(answer.ms);
      call.connection.close();
    }
    await leave(calls);
    const [more, timers] = [after.bytes - before.bytes, after.timers - before.timers];
    return [
      {
        measured: `${held} held calls, heap and buffers after GC, more`,
        ours: megabytes(more),
        target: "<= 30 MB",
        isMet: more <= 30 * 1_048_576,
      },
      { measured: `${held} held calls, timers, more`, ours: String(timers), target: "<= 10", isMet: timers <= 10 },
      {
        measured: `decision to released, beside ${held} held calls, p50`,
        ours: milliseconds(median(took)),
        target: "<= 10 ms",
        isMet: median(took) <= 10,
      },
    ];
  } finally {
    inspector.close();
  }
}

type Held = { connection: Connection; answer: Promise<Answer> };

async function hold(port: number, hook: Hook, count: number, word: string): Promise<Held[]> {
  const calls: Held[] = [];
  for (let call = 0; call < count; call += 1) {
    const connection = await Connection.open(port);
    const answer = connection.send(hook(`${asks} # ${word} ${call}`));
    // A call that is left breaks its connection, which is meant.
    answer.catch(() => {});
    calls.push({ connection, answer });
    if (call % 50 === 49) await pause(500);
  }
  await pause(500);
  return calls;
}

async function leave(calls: readonly Held[]): Promise<void> {
  for (const { connection } of calls) connection.close();
  await pause(settleMs);
}
