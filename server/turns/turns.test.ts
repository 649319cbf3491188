import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { TurnDraft } from "@/contracts/turns";
import { approvals, artifacts, auditEvents, toolCalls, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { expireOverdueApprovals } from "@/server/approvals/expire-approvals";
import { demand } from "@/server/auth/actor";
import { startJobs } from "@/server/jobs/start-jobs";
import { listenForSignals } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { bootId, newId } from "@/server/platform/ids";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { buildTools, replaceTools } from "@/server/testing/test-tools";
import { builtinTools } from "@/server/tools/builtin";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { syncTools } from "@/server/tools/sync-tools";
import { cancelTurn } from "./cancel-turn";
import { noticeLostReplicas, recoverTurns } from "./recover-turns";
import { removeConversation } from "./remove-conversation";
import { submitTurn } from "./submit-turn";
import { waitForTurn } from "./wait-for-turn";
import { turnsAtRest } from "./working-turns";

useTestDatabase();

let stop: (() => Promise<void>)[] = [];
beforeAll(async () => {
  stop = [await listenForSignals(), await startJobs()];
});
afterAll(async () => {
  await turnsAtRest();
  for (const end of stop.reverse()) await end();
});

let built: BuiltWorkspace;
let conversationId: string;
let serverId: string;
/** What the tools did, in order. */
let log: string[];
/** Lets a test hold a tool where it is. */
let gate: { opened: Promise<void>; open: () => void; reached: Promise<void>; reach: () => void };

const input = z.object({ text: z.string().default("") });
const probes = () => [
  defineTool({
    name: "look",
    title: "Look",
    description: "Reads",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input,
    execute: async ({ text }) => {
      log.push(`look ${text}`);
      return `saw ${text}`;
    },
  }),
  defineTool({
    name: "change",
    title: "Change",
    description: "Writes",
    family: "probe",
    tier: "core",
    effect: "write",
    needs: [],
    input,
    execute: async ({ text }) => {
      log.push(`change ${text}`);
      return `changed ${text}`;
    },
  }),
  defineTool({
    name: "hold",
    title: "Hold",
    description: "Waits at the gate and takes no notice of its signal",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    timeoutMs: 2_000,
    input,
    execute: async ({ text }) => {
      gate.reach();
      await gate.opened;
      log.push(`hold ${text}`);
      return "held";
    },
  }),
  defineTool({
    name: "hang",
    title: "Hang",
    description: "Never answers",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    timeoutMs: 100,
    input,
    execute: () => new Promise(() => {}),
  }),
  defineTool({
    name: "fall",
    title: "Fall",
    description: "Throws",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input,
    execute: async () => {
      throw new Error("it fell");
    },
  }),
  defineTool({
    name: "flood",
    title: "Flood",
    description: "Answers a lot",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input: z.object({ chars: z.int() }),
    execute: async ({ chars }) => `${"x".repeat(chars - 4)}last`,
  }),
  defineTool({
    name: "structure",
    title: "Structure",
    description: "Answers structured content",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input: z.object({ items: z.int() }),
    execute: async ({ items }) =>
      toolResult({ text: "small", structuredContent: { items: Array.from({ length: items }, (_, index) => index) } }),
  }),
  defineTool({
    name: "sorry",
    title: "Sorry",
    description: "Answers an error in band, with a picture",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input,
    execute: async () =>
      toolResult({ text: "no luck", isError: true, files: [{ name: "a.png", mediaType: "image/png", bytes: new Uint8Array([1, 2, 3]) }] }),
  }),
];

beforeEach(async () => {
  log = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  gate = { opened, open, reached, reach };
  built = await buildWorkspace();
  conversationId = (await buildConversation(built.agentKey)).id;
  serverId = await buildTools(built.workspace.id, probes());
});

type Calls = [name: string, args?: JsonObject | string][];
const runtime = () => demand(built.agentKey, "turns:write");
const approver = () => demand(built.approver, "approvals:decide");
const still = new AbortController().signal;

function submit(calls: Calls, { wait = 10, idempotencyKey = null }: { wait?: number; idempotencyKey?: string | null } = {}) {
  const draft = TurnDraft.parse({ calls: calls.map(([name, args = {}], index) => ({ id: `c${index}`, name, arguments: args })), wait });
  return submitTurn(runtime(), { conversationId, draft, idempotencyKey, signal: still });
}

async function onlyApproval(turnId: string) {
  const [approval] = await db().select().from(approvals).where(eq(approvals.turnId, turnId)).orderBy(approvals.id);
  if (!approval) throw new Error("nobody was asked");
  return approval;
}

/** The turn of the conversation, once the database knows it. */
const theTurn = () =>
  vi.waitFor(async () => {
    const [row] = await db().select().from(turns).where(eq(turns.conversationId, conversationId));
    if (!row) throw new Error("not stored yet");
    return row;
  });

const statuses = (turn: { calls: { status: string }[] }) => turn.calls.map(({ status }) => status);
const auditOf = async (turnId: string) =>
  (await db().select().from(auditEvents).where(eq(auditEvents.turnId, turnId)).orderBy(auditEvents.id)).map(({ event }) => event);

describe("a turn without a question", () => {
  test("answers with all results in call order, each with an audit row", async () => {
    const turn = await submit([
      ["look", { text: "a" }],
      ["look", { text: "b" }],
    ]);
    expect(turn.status).toBe("completed");
    expect(turn.calls.map(({ content }) => content)).toEqual(["saw a", "saw b"]);
    expect(turn.calls[0]?.decision).toMatchObject({ verdict: "allow" });
    expect(await auditOf(turn.id)).toEqual(["call.succeeded", "call.succeeded"]);
  });

  test("one bad call never stops its neighbours, and each says what to do", async () => {
    const turn = await submit([
      ["no_such_tool"],
      ["look", { text: 7 }],
      ["look", '{"text": "cut o'],
      ["fall"],
      ["hang"],
      ["sorry"],
      ["constructor"],
      ["look", '{"text":"fine"}'],
    ]);
    expect(turn.status).toBe("completed");
    expect(statuses(turn)).toEqual(["failed", "failed", "failed", "failed", "timed_out", "failed", "failed", "succeeded"]);
    expect(turn.calls.map(({ content }) => content)).toEqual([
      expect.stringContaining("Tool not found: no_such_tool"),
      expect.stringContaining("text"),
      expect.stringContaining("not valid JSON"),
      expect.stringContaining("it fell"),
      expect.stringContaining("Timed out"),
      "no luck",
      expect.stringContaining("Tool not found: constructor"),
      "saw fine",
    ]);
    expect(turn.calls.map(({ isError }) => isError)).toEqual([true, true, true, true, true, true, true, false]);
  });

  test("a mangled name reaches the tool under its own name", async () => {
    const turn = await submit([["LookTool", { text: "x" }]]);
    expect(turn.calls[0]).toMatchObject({ status: "succeeded", name: "look", requestedName: "LookTool" });
  });

  test("text that cannot be stored is a failed call, wherever the model put it", async () => {
    const turn = await submit([
      ["look", { text: "a\0b" }],
      ["look", { text: "\ud800" }],
      ["look", '{"text": "\\u0000"}'],
      ["look", { text: "fine" }],
    ]);
    expect(statuses(turn)).toEqual(["failed", "failed", "failed", "succeeded"]);
    expect(turn.calls[0]?.content).toContain("NUL character");
  });

  test("arguments that some code drops or cannot walk are a failed call, in either form", async () => {
    const deep = `{"text":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
    const turn = await submit([
      ["look", deep],
      ["look", { text: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) }],
      ["look", '{"__proto__":{"a":1},"text":"x"}'],
      ["look", { text: "fine" }],
    ]);
    expect(statuses(turn)).toEqual(["failed", "failed", "failed", "succeeded"]);
    expect(turn.calls[0]?.content).toContain("64 levels");
    expect(turn.calls[2]?.content).toContain("__proto__");
  });

  test("structured content that is too large is kept whole as an artifact", async () => {
    const turn = await submit([
      ["structure", { items: 5 }],
      ["structure", { items: 50_000 }],
    ]);
    expect(turn.calls[0]?.structuredContent).toEqual({ items: [0, 1, 2, 3, 4] });
    expect(turn.calls[1]?.structuredContent).toBeUndefined();
    expect(turn.calls[1]?.contentParts).toEqual([
      { type: "text", text: "small" },
      { type: "artifact", artifactId: expect.any(String), mediaType: "application/json", bytes: expect.any(Number) },
    ]);
  });

  test("a call that cannot even be evaluated is denied, and its neighbours run", async () => {
    await db().transaction((tx) => syncTools(tx, { workspaceId: built.workspace.id, mcpServerId: null }, builtinTools));
    const turn = await submit([
      ["shell_execute", { command: "cat <<A\nA\n".repeat(3_000) }],
      ["look", { text: "on" }],
    ]);
    expect(statuses(turn)).toEqual(["denied", "succeeded"]);
  });

  test("of twenty calls sixteen run and four are asked for again", async () => {
    const turn = await submit(Array.from({ length: 20 }, (_, index): Calls[number] => ["look", { text: String(index) }]));
    expect(statuses(turn).filter((status) => status === "succeeded")).toHaveLength(16);
    expect(turn.calls[19]).toMatchObject({ status: "failed", isError: true, content: expect.stringContaining("Re-issue") });
    expect(log).toHaveLength(16);
  });

  test("a long result becomes an artifact with its beginning and end shown", async () => {
    const turn = await submit([["flood", { chars: 50_000 }]]);
    const [call] = turn.calls;
    expect(call?.content.length).toBeLessThanOrEqual(8_000);
    expect(call?.content).toContain("50000");
    expect(call?.content).toMatch(/last/);
    expect(call?.truncated).toMatchObject({ originalChars: 50_000 });
    const [artifact] = await db()
      .select()
      .from(artifacts)
      .where(eq(artifacts.callId, call?.callId ?? ""));
    expect(artifact).toMatchObject({ id: call?.truncated?.artifactId, bytes: 50_000 });
  });

  test("all results of a turn together stay within 32,000 characters", async () => {
    const turn = await submit(Array.from({ length: 10 }, (): Calls[number] => ["flood", { chars: 8_000 }]));
    expect(turn.calls.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(32_000);
    expect(statuses(turn).every((status) => status === "succeeded")).toBe(true);
  });

  test("the same Idempotency-Key five times at once makes one turn, and with other calls a conflict", async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => submit([["look", { text: "once" }]], { idempotencyKey: "k" })));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(log).toEqual(["look once"]);
    await expect(submit([["look", { text: "twice" }]], { idempotencyKey: "k" })).rejects.toMatchObject({ code: "idempotency_mismatch" });
  });

  test("another workspace's conversation is not found", async () => {
    const other = await buildWorkspace();
    const draft = TurnDraft.parse({ calls: [{ id: "1", name: "look" }] });
    const foreign = submitTurn(demand(other.agentKey, "turns:write"), { conversationId, draft, idempotencyKey: null, signal: still });
    await expect(foreign).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a turn with a question", () => {
  test("stops at the question with everything before it done, and goes on by itself when it is approved", async () => {
    const asked = await submit([
      ["look", { text: "before" }],
      ["change", { text: "it" }],
      ["look", { text: "after" }],
    ]);
    expect(asked.status).toBe("suspended");
    expect(statuses(asked)).toEqual(["succeeded", "awaiting_approval", "pending"]);
    expect(log).toEqual(["look before"]);

    const waiting = waitForTurn(asked.id, 20, still);
    const approval = await onlyApproval(asked.id);
    await decideApproval(approver(), approval.id, { decision: "approve", comment: "go" });
    const done = await waiting;
    expect(done.status).toBe("completed");
    expect(done.calls.map(({ content }) => content)).toEqual(["saw before", "changed it", "saw after"]);
    expect(log).toEqual(["look before", "change it", "look after"]);
    expect(await auditOf(asked.id)).toEqual([
      "call.succeeded",
      "approval.requested",
      "approval.approved",
      "call.succeeded",
      "call.succeeded",
    ]);
  });

  test("a rejection is a result with the person's words, and the calls behind it still run", async () => {
    const asked = await submit([
      ["change", { text: "it" }],
      ["look", { text: "after" }],
    ]);
    const waiting = waitForTurn(asked.id, 20, still);
    await decideApproval(approver(), (await onlyApproval(asked.id)).id, { decision: "reject", comment: "not on a Friday" });
    const done = await waiting;
    expect(statuses(done)).toEqual(["rejected", "succeeded"]);
    expect(done.calls[0]).toMatchObject({ isError: true, content: expect.stringContaining("not on a Friday") });
    expect(log).toEqual(["look after"]);
  });

  test("of two decisions at once one counts, the other is told who was faster, and the call runs once", async () => {
    const asked = await submit([["change", { text: "once" }]]);
    const waiting = waitForTurn(asked.id, 20, still);
    const { id } = await onlyApproval(asked.id);
    const answers = await Promise.allSettled(
      (["approve", "approve", "reject", "approve"] as const).map((decision) => decideApproval(approver(), id, { decision, comment: "" })),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers) if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "already_decided" });
    await waiting;
    await turnsAtRest();
    expect(log.length).toBeLessThanOrEqual(1);
  });

  test("nobody answering in time counts as a rejection", async () => {
    const asked = await submit([["change"], ["look"]]);
    const waiting = waitForTurn(asked.id, 20, still);
    const { id } = await onlyApproval(asked.id);
    await db()
      .update(approvals)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(approvals.id, id));
    await expect(decideApproval(approver(), id, { decision: "approve", comment: "" })).rejects.toMatchObject({ code: "already_decided" });
    await expireOverdueApprovals();
    expect(statuses(await waiting)).toEqual(["expired", "succeeded"]);
    expect(log).toEqual(["look "]);
  });

  test("the key that asked cannot answer", async () => {
    const asked = await submit([["change"]]);
    const key = { ...built.agentKey, permissions: new Set(["approvals:decide" as const]) };
    const answer = decideApproval(demand(key, "approvals:decide"), (await onlyApproval(asked.id)).id, { decision: "approve", comment: "" });
    await expect(answer).rejects.toMatchObject({ code: "forbidden" });
  });

  test("a tool that changed after the approval is asked about anew, with what drifted", async () => {
    const asked = await submit([["change", { text: "x" }]]);
    const first = await onlyApproval(asked.id);
    const changed = probes().map((tool) => (tool.name === "change" ? { ...tool, inputSchema: { type: "object", properties: {} } } : tool));
    await replaceTools(built.workspace.id, serverId, changed);
    const waiting = waitForTurn(asked.id, 20, still);
    await decideApproval(approver(), first.id, { decision: "approve", comment: "" });
    const again = await waiting;
    expect(again.status).toBe("suspended");
    expect(again.calls[0]?.approvalId).not.toBe(first.id);
    expect(log).toEqual([]);
    const [before, after] = await db().select().from(approvals).where(eq(approvals.turnId, asked.id)).orderBy(approvals.id);
    expect(before).toMatchObject({ status: "void", drift: [expect.stringContaining("changed after it was approved")] });
    expect(after).toMatchObject({ status: "pending", drift: before?.drift });

    const second = waitForTurn(asked.id, 20, still);
    await decideApproval(approver(), after?.id ?? "", { decision: "approve", comment: "" });
    expect((await second).status).toBe("completed");
    expect(log).toEqual(["change x"]);
  });

  test("a tool that is gone when the approval comes is a failed result, not a lost turn", async () => {
    const asked = await submit([["change"], ["look"]]);
    await replaceTools(
      built.workspace.id,
      serverId,
      probes().filter(({ name }) => name !== "change"),
    );
    const waiting = waitForTurn(asked.id, 20, still);
    await decideApproval(approver(), (await onlyApproval(asked.id)).id, { decision: "approve", comment: "" });
    expect(statuses(await waiting)).toEqual(["failed", "succeeded"]);
  });

  test("where nobody can be asked, the call is denied at once", async () => {
    conversationId = (await buildConversation(built.agentKey, { interactive: false })).id;
    const turn = await submit([["change"], ["look"]]);
    expect(statuses(turn)).toEqual(["denied", "succeeded"]);
    expect(turn.calls[0]?.content).toContain("nobody can be asked");
  });
});

describe("a turn that is stopped", () => {
  test("while it waits for a person: the question is cancelled and nothing runs", async () => {
    const asked = await submit([["change"], ["look"]]);
    const turn = await cancelTurn(runtime(), asked.id, still);
    expect(turn.status).toBe("cancelled");
    expect(statuses(turn)).toEqual(["cancelled", "cancelled"]);
    expect(await onlyApproval(asked.id)).toMatchObject({ status: "cancelled" });
    expect(log).toEqual([]);
  });

  test("while a tool runs: the tool is left behind and the rest does not start", async () => {
    const running = submit([["hold"], ["change"]]);
    await gate.reached;
    const row = await theTurn();
    const turn = await cancelTurn(runtime(), row.id, still);
    expect(turn.status).toBe("cancelled");
    expect(statuses(turn)).toEqual(["cancelled", "cancelled"]);
    gate.open();
    expect((await running).status).toBe("cancelled");
  });

  test("with its conversation: questions are cancelled, rows are gone, the audit stays", async () => {
    const asked = await submit([["change"]]);
    await removeConversation(runtime(), conversationId);
    expect(await db().select().from(turns).where(eq(turns.id, asked.id))).toEqual([]);
    expect(await auditOf(asked.id)).toEqual(["approval.requested", "turn.cancelled", "approval.cancelled", "call.cancelled"]);
  });

  test("with its conversation while a tool runs: the call still stands in the audit, with what it was", async () => {
    const running = submit([["hold", { text: "it" }]]);
    await gate.reached;
    const row = await theTurn();
    await removeConversation(runtime(), conversationId);
    gate.open();
    await expect(running).rejects.toMatchObject({ code: "not_found" });
    expect(await auditOf(row.id)).toEqual(["turn.cancelled", "call.cancelled"]);
    await expect(submit([["look"]])).rejects.toMatchObject({ code: "not_found" });
  });
});

test("a cancellation of which no signal came is noticed at the next look", async () => {
  const running = submit([["hold"]]);
  await gate.reached;
  const { id } = await theTurn();
  await db().update(turns).set({ cancelRequestedAt: new Date() }).where(eq(turns.id, id));
  await noticeLostReplicas();
  expect(statuses(await running)).toEqual(["cancelled"]);
});

describe("a replica that dies", () => {
  /** Leaves a turn as a replica leaves it that is killed while its calls run. */
  async function dieWhileRunning(names: string[], { claimedBy = newId(), updatedAt = new Date() } = {}): Promise<string> {
    const [turn] = await db()
      .insert(turns)
      .values({
        workspaceId: built.workspace.id,
        conversationId,
        requestDigest: "",
        requestedBy: { type: "api_key", id: built.agentKey.id, name: built.agentKey.name },
        claimedBy,
        updatedAt,
      })
      .returning();
    if (!turn) throw new Error("no turn");
    await db()
      .insert(toolCalls)
      .values(
        names.map((name, position) => ({
          workspaceId: built.workspace.id,
          turnId: turn.id,
          position,
          runtimeId: `c${position}`,
          requestedName: name,
          name,
          arguments: { text: "again" },
          status: "running" as const,
          startedBy: turn.claimedBy,
          startedAt: new Date(),
        })),
      );
    return turn.id;
  }

  test("leaves calls of which the reads run again and the writes are marked interrupted, never repeated", async () => {
    const turnId = await dieWhileRunning(["look", "change"]);
    await recoverTurns();
    const turn = await waitForTurn(turnId, 20, still);
    expect(turn.status).toBe("completed");
    expect(statuses(turn)).toEqual(["succeeded", "interrupted"]);
    expect(turn.calls[1]?.content).toContain("outcome is unknown");
    expect(log).toEqual(["look again"]);
  });

  test("leaves a turn that ends when its last call was interrupted", async () => {
    const turnId = await dieWhileRunning(["change"]);
    await recoverTurns();
    await turnsAtRest();
    const turn = await waitForTurn(turnId, 20, still);
    expect(turn.status).toBe("completed");
    expect(statuses(turn)).toEqual(["interrupted"]);
  });

  test("is recovered once, however many replicas notice", async () => {
    const turnId = await dieWhileRunning(["look"]);
    await Promise.all([recoverTurns(), recoverTurns(), recoverTurns()]);
    await waitForTurn(turnId, 20, still);
    await turnsAtRest();
    expect(log).toEqual(["look again"]);
  });

  test("or stopped in order leaves turns that any other takes up at its next look", async () => {
    const turnId = await dieWhileRunning(["look", "change"]);
    await noticeLostReplicas();
    expect(statuses(await waitForTurn(turnId, 20, still))).toEqual(["succeeded", "interrupted"]);
  });

  test("is not waited for by a turn of ours that stopped on an error: we take it up ourselves", async () => {
    const turnId = await dieWhileRunning(["look"], { claimedBy: bootId(), updatedAt: new Date(Date.now() - 6_000) });
    await noticeLostReplicas();
    expect(statuses(await waitForTurn(turnId, 20, still))).toEqual(["succeeded"]);
  });

  test("between a decision and its job leaves a turn that goes on all the same", async () => {
    const asked = await submit([["change", { text: "late" }]]);
    const { id } = await onlyApproval(asked.id);
    await db().update(approvals).set({ status: "approved" }).where(eq(approvals.id, id));
    const waiting = waitForTurn(asked.id, 20, still);
    await recoverTurns();
    expect((await waiting).status).toBe("completed");
    expect(log).toEqual(["change late"]);
  });
});
