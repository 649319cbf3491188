import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { Turn, TurnDraft } from "@/contracts/turns/turns";
import { artifacts } from "@/db/schema";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { type Calls, listAuditEvents, neverAborted, runtimeActor, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { type AnyTool, defineTool, toolResult } from "@/server/tools/define-tool";
import { submitTurn } from "./submit-turn";

const stage = useStage();

/** A tool that takes anything, as those of MCP servers may. */
const take = (log: string[]): AnyTool => ({
  ...defineTool({
    name: "take",
    title: "Take",
    description: "Takes anything",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    input: z.object({}),
    execute: async () => "",
  }),
  parse: (value) => ({ ok: true, value }),
  run: async (value, { traceparent }) => {
    log.push(traceparent ? `take ${traceparent}` : "take");
    return toolResult({ text: "taken", structuredContent: { ...value, most: Number.POSITIVE_INFINITY } });
  },
});

beforeEach(() => buildTools(stage.built.workspace.id, [take(stage.log)], { alias: "takes" }).then(() => {}));

describe("a turn without a question", () => {
  test("answers with all results in call order, each with an audit row", async () => {
    const turn = await submitCalls(stage, [
      ["look", { text: "a" }],
      ["look", { text: "b" }],
    ]);
    expect(turn.status).toBe("completed");
    expect(turn.calls.map(({ content }) => content)).toEqual(["saw a", "saw b"]);
    expect(turn.calls[0]?.decision).toMatchObject({ verdict: "allow" });
    expect(await listAuditEvents(turn.id)).toEqual(["call.succeeded", "call.succeeded"]);
  });

  test("one bad call never stops its neighbours, and each says what to do", async () => {
    const turn = await submitCalls(stage, [
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
      expect.stringMatching(/^no luck\n\[a\.png is artifact:[0-9a-f-]{36}\]$/),
      expect.stringContaining("Tool not found: constructor"),
      "saw fine",
    ]);
    expect(turn.calls.map(({ isError }) => isError)).toEqual([true, true, true, true, true, true, true, false]);
  });

  test.each<[string, Calls[number][1]]>([
    ["text", '{"text": 1e400}'],
    ["an object", { text: "x", filter: { id: Number.POSITIVE_INFINITY } }],
    ["text with a whole number that would silently become another", '{"text": 12345678901234567890}'],
  ])("a number that cannot be kept exactly is refused before the call runs: sent as %s", async (_sent, args) => {
    const turn = await submitCalls(stage, [["take", args], ["look"]]);
    expect(() => Turn.parse(turn)).not.toThrow();
    expect(statuses(turn)).toEqual(["failed", "succeeded"]);
    expect(turn.calls[0]?.content).toMatch(/^The arguments of take hold a number that cannot be kept exactly: (text|filter\.id)\. /);
    expect(stage.log).toEqual(["look "]);
  });

  test("a result with a number that JSON does not have is a result all the same", async () => {
    const turn = await submitCalls(stage, [["take", { count: 1 }]]);
    expect(() => Turn.parse(turn)).not.toThrow();
    expect(turn.calls[0]).toMatchObject({ status: "succeeded", structuredContent: { count: 1, most: null } });
  });

  test("a tool is told the trace of the request that submitted its call", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const draft = TurnDraft.parse({ calls: [{ id: "c", name: "take" }], wait: 10 });
    const { conversationId } = stage;
    await submitTurn(runtimeActor(stage), { conversationId, draft, idempotencyKey: null, signal: neverAborted, traceparent });
    await submitTurn(runtimeActor(stage), { conversationId, draft, idempotencyKey: null, signal: neverAborted });
    expect(stage.log).toEqual([`take ${traceparent}`, "take"]);
  });

  test("a mangled name reaches the tool under its own name", async () => {
    const turn = await submitCalls(stage, [["LookTool", { text: "x" }]]);
    expect(turn.calls[0]).toMatchObject({ status: "succeeded", name: "look", requestedName: "LookTool" });
  });

  test("text that cannot be stored is a failed call, wherever the model put it", async () => {
    const turn = await submitCalls(stage, [
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
    const turn = await submitCalls(stage, [
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
    const turn = await submitCalls(stage, [
      ["structure", { items: 5 }],
      ["structure", { items: 50_000 }],
    ]);
    expect(turn.calls[0]?.structuredContent).toEqual({ items: [0, 1, 2, 3, 4] });
    expect(turn.calls[1]?.structuredContent).toBeUndefined();
    expect(turn.calls[1]?.contentParts).toEqual([
      { type: "text", text: "small" },
      {
        type: "artifact",
        artifactId: expect.any(String),
        mediaType: "application/json",
        bytes: expect.any(Number),
        isStructuredContent: true,
      },
    ]);
  });

  test("a call that cannot even be evaluated is denied, and its neighbours run", async () => {
    await addBuiltinTools(stage.built.workspace.id);
    const turn = await submitCalls(stage, [
      ["shell_execute", { command: "cat <<A\nA\n".repeat(3_000) }],
      ["look", { text: "on" }],
    ]);
    expect(statuses(turn)).toEqual(["denied", "succeeded"]);
  });

  test("a turn of twenty calls runs sixteen and asks for four again", async () => {
    const turn = await submitCalls(
      stage,
      Array.from({ length: 20 }, (_, index): Calls[number] => ["look", { text: String(index) }]),
    );
    expect(statuses(turn).filter((status) => status === "succeeded")).toHaveLength(16);
    expect(turn.calls[19]).toMatchObject({ status: "failed", isError: true, content: expect.stringContaining("Re-issue") });
    expect(stage.log).toHaveLength(16);
  });

  test("a long result becomes an artifact with its beginning and end shown", async () => {
    const turn = await submitCalls(stage, [["flood", { chars: 50_000 }]]);
    const [call] = turn.calls;
    expect(call?.content.length).toBeLessThanOrEqual(8_000);
    expect(call?.content).toContain("50,000 characters in all");
    expect(call?.content).toMatch(/last/);
    expect(call?.truncated).toMatchObject({ originalChars: 50_000 });
    const [artifact] = await db()
      .select()
      .from(artifacts)
      .where(eq(artifacts.callId, call?.callId ?? ""));
    expect(artifact).toMatchObject({ id: call?.truncated?.artifactId, bytes: 50_000 });
  });

  test("all results of a turn together stay within 32,000 characters", async () => {
    const turn = await submitCalls(
      stage,
      Array.from({ length: 10 }, (): Calls[number] => ["flood", { chars: 8_000 }]),
    );
    expect(turn.calls.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(32_000);
    expect(statuses(turn).every((status) => status === "succeeded")).toBe(true);
  });

  test("the same Idempotency-Key five times at once makes one turn, and with other calls a conflict", async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => submitCalls(stage, [["look", { text: "once" }]], { idempotencyKey: "k" })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(stage.log).toEqual(["look once"]);
    await expect(submitCalls(stage, [["look", { text: "twice" }]], { idempotencyKey: "k" })).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
  });

  test("the same Idempotency-Key with another callbackUrl is a conflict too: nobody would be told there", async () => {
    const submit = (callbackUrl: string) => submitCalls(stage, [["look"]], { idempotencyKey: "k", callbackUrl });
    const { id } = await submit("https://example.com/one");
    expect((await submit("https://example.com/one")).id).toBe(id);
    await expect(submit("https://example.com/two")).rejects.toMatchObject({ code: "idempotency_mismatch" });
  });

  test("a conversation that goes with the turn that was faster under the same key is not found", async () => {
    // Simulates a lost race: the insert hits another row with the same key, and that row is deleted before we read it.
    await db().execute(sql`create function skip_turn() returns trigger language plpgsql as $$ begin return null; end $$`);
    await db().execute(sql`create trigger skip_turn before insert on turns for each row execute function skip_turn()`);
    try {
      for (const idempotencyKey of ["gone", null])
        await expect(submitCalls(stage, [["look"]], { idempotencyKey })).rejects.toMatchObject({ code: "not_found" });
    } finally {
      await db().execute(sql`drop function skip_turn cascade`);
    }
  });

  test("a name that cannot be stored names no tool, and an id that cannot be stored is refused", async () => {
    const turn = await submitCalls(stage, [["look\ud800"], ["look\0"], ["look"]]);
    expect(statuses(turn)).toEqual(["failed", "failed", "succeeded"]);
    for (const id of ["a\ud800", "a\0"]) expect(TurnDraft.safeParse({ calls: [{ id, name: "look" }] }).success).toBe(false);
  });

  test("another workspace's conversation is not found", async () => {
    const other = await buildWorkspace();
    const draft = TurnDraft.parse({ calls: [{ id: "1", name: "look" }] });
    const foreign = submitTurn(requirePermission(other.agentKey, "turns:write"), {
      conversationId: stage.conversationId,
      draft,
      idempotencyKey: null,
      signal: neverAborted,
    });
    await expect(foreign).rejects.toMatchObject({ code: "not_found" });
  });
});
