import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { GuardRuleDraft } from "@/contracts/guard/guard";
import type { PlannedChange, Simulation, SimulationBody } from "@/contracts/guard/policy";
import { grants, guardRules, toolCalls } from "@/db/schema";
import { toActorRef } from "@/server/auth/actor";
import { encodeCursor } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { draftRule, type RecordedCall, recordCalls } from "@/server/testing/guard/policy-stage";
import { buildRecordedTools } from "@/server/testing/recorded-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { createRule } from "../rules/create-rule";
import { updateConfig } from "../rules/guard-config";
import { orderRules } from "../rules/order-rules";
import { simulate } from "./simulate";

useTestDatabase();

let built: BuiltWorkspace;

beforeEach(async () => {
  built = await buildWorkspace();
  await buildRecordedTools(built.workspace.id);
  // Stops the clock, because a page ends after 700 ms and a busy machine would end it early.
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const record = async (calls: readonly RecordedCall[], conversation: Parameters<typeof buildConversation>[1] = {}) =>
  recordCalls(built.agentKey, calls, await buildConversation(built.agentKey, conversation));
const draft = (content: Partial<GuardRuleDraft> = {}) => draftRule({ name: "Look", tool: "shell_execute", verdict: "allow", ...content });
const save = (content: Partial<GuardRuleDraft>): PlannedChange => ({ kind: "save", rule: draft(content), id: null, otherwise: null });
const reader = () => authorize(built.admin, "guard:read");
const writer = () => authorize(built.admin, "guard:write");
const simulating = (body: Partial<SimulationBody>) => simulate(reader(), { over: { days: 30 }, ...body });
const flipsOf = ({ flips }: Simulation) => flips.map(({ before, after, calls }) => `${calls} ${before} > ${after}`);

const shell = (command: string): RecordedCall => ({ arguments: { command } });

describe("a change that nobody has made yet", () => {
  test("is tried on recorded calls: which would get another verdict, and how many approvals a day it costs", async () => {
    await record([shell("mkdir a"), shell("mkdir -p a"), shell("rm x"), { name: "read_file", arguments: { path: "a" }, verdict: "allow" }]);
    const simulation = await simulating({ change: save({ pattern: "^mkdir\\b" }) });
    expect(simulation).toMatchObject({
      examined: 4,
      total: 4,
      approvals: { before: 3, after: 1 },
      approvalsPerDay: { before: 3, after: 1 },
      days: 1,
      nextCursor: null,
      calls: [
        { tool: "shell_execute", seen: "mkdir -p a", before: "require_approval", after: "allow" },
        { seen: "mkdir a", before: "require_approval", after: "allow" },
      ],
    });
    expect(flipsOf(simulation)).toEqual(["2 require_approval > allow"]);
  });

  test("is compared with the policy of now, not with what was decided then", async () => {
    await record([{ ...shell("mkdir a"), verdict: "deny" }]);
    expect(flipsOf(await simulating({ change: save({ verdict: "require_approval" }) }))).toEqual([]);
    expect(flipsOf(await simulating({ change: save({ verdict: "deny" }) }))).toEqual(["1 require_approval > deny"]);
  });

  test("counts the second rule that is saved with it, a rule that goes, another order, a restored version and other settings", async () => {
    await record([shell("mkdir a"), shell("touch a"), { name: "read_file", arguments: { path: "a" }, verdict: "allow" }]);
    const both: PlannedChange = {
      kind: "save",
      rule: draft({ pattern: "^mkdir" }),
      id: null,
      otherwise: draft({ verdict: "deny", priority: 99 }),
    };
    expect(flipsOf(await simulating({ change: both })).sort()).toEqual(["1 require_approval > allow", "1 require_approval > deny"]);
    const allows = await createRule(writer(), draft({ pattern: "^mkdir", priority: 20 }));
    const denies = await createRule(writer(), draft({ verdict: "deny", priority: 10 }));
    expect(flipsOf(await simulating({ change: { kind: "remove", id: denies.id } }))).toEqual(["1 deny > require_approval"]);
    expect(flipsOf(await simulating({ change: { kind: "order", ids: [denies.id, allows.id] } }))).toEqual(["1 allow > deny"]);
    expect(flipsOf(await simulating({ change: { kind: "restore", version: 1 } })).sort()).toEqual([
      "1 allow > require_approval",
      "1 deny > require_approval",
    ]);
    const replaced: PlannedChange = { kind: "import", mode: "replace", rules: [{ name: "All", tool: "*", verdict: "deny" }] };
    expect(flipsOf(await simulating({ change: replaced }))).toEqual(["2 allow > deny"]);
    expect(flipsOf(await simulating({ rules: [{ name: "All", tool: "*", verdict: "deny" }] }))).toEqual(["2 allow > deny"]);
    expect(flipsOf(await simulating({ config: { defaultPolicy: "deny" } }))).toEqual(["1 allow > deny"]);
    expect(flipsOf(await simulating({}))).toEqual([]);
    await orderRules(writer(), [denies.id, allows.id]);
    expect(flipsOf(await simulating({ change: { kind: "remove", id: allows.id } }))).toEqual([]);
  });

  test("meets calls as they came: from whom, in which channel, watched or not, and when", async () => {
    await record([shell("mkdir a")], { channel: "slack" });
    await record([shell("mkdir a"), shell("touch a")], { origin: "cron", interactive: false });
    const context = { agents: null, channels: ["slack"], actors: null, origins: null, interactive: null, time: null };
    expect(flipsOf(await simulating({ change: save({ context }) }))).toEqual(["1 require_approval > allow"]);
    const cron = { ...context, channels: null, origins: ["cron" as const], actors: ["api_key" as const] };
    const simulation = await simulating({ change: save({ context: cron }) });
    expect(flipsOf(simulation)).toEqual(["2 require_approval > allow"]);
    // Only the interactive call counts, because nobody is asked about the others.
    expect(simulation.approvals).toEqual({ before: 1, after: 1 });
  });

  test("costs no approval where somebody approved such a call in advance", async () => {
    const conversationId = await record([shell("touch m"), shell("mkdir a")]);
    await record([shell("touch m")]);
    const grant = {
      workspaceId: built.workspace.id,
      kind: "until" as const,
      tool: "shell_execute",
      maxSeverity: "high" as const,
      grantedBy: toActorRef(built.admin),
      // Grants count if they hold now, whenever the recorded calls were made.
      expiresAt: new Date(Date.now() + 60_000),
    };
    const exactly = (command: string) => ({ kind: "exact" as const, arguments: { command } });
    await db()
      .insert(grants)
      .values([
        { ...grant, scope: "conversation", scopeId: conversationId, match: exactly("touch m") },
        { ...grant, scope: "workspace", match: exactly("mkdir a"), revokedAt: new Date() },
      ]);
    const asking = await simulating({ change: save({ verdict: "require_approval" }) });
    expect(asking.approvals).toEqual({ before: 2, after: 2 });
    const denying = await simulating({ change: save({ verdict: "deny", pattern: "^touch m" }) });
    expect(flipsOf(denying).sort()).toEqual(["1 allow > deny", "1 require_approval > deny"]);
    expect(denying.approvals).toEqual({ before: 2, after: 1 });
  });

  test("of a rule takes that rule's place", async () => {
    await record([shell("mkdir a")]);
    const { id } = await createRule(writer(), draft({ verdict: "deny" }));
    expect(flipsOf(await simulating({ change: { ...save({ pattern: "^mkdir" }), id } as PlannedChange }))).toEqual(["1 deny > allow"]);
    expect(flipsOf(await simulating({ change: save({ pattern: "^mkdir" }) }))).toEqual([]);
  });

  test("that could not be saved is refused as saving refuses it", async () => {
    await expect(simulating({ change: save({ pattern: "(" }) })).rejects.toMatchObject({
      code: "invalid",
      details: { errors: [{ path: "change.rule.pattern", message: expect.stringContaining("close this parenthesis") }] },
    });
    await expect(simulating({ change: { kind: "remove", id: newId() } })).rejects.toMatchObject({ code: "not_found" });
    await expect(simulating({ change: { ...save({}), id: newId() } as PlannedChange })).rejects.toMatchObject({ code: "not_found" });
    const { id } = await createRule(writer(), draft());
    await expect(simulating({ change: { kind: "order", ids: [id, id] } })).rejects.toMatchObject({ code: "invalid" });
    await expect(simulating({ change: { kind: "restore", version: 99 } })).rejects.toMatchObject({
      code: "not_found",
      message: "There is no version 99 of the policy. Choose one of the list.",
    });
    await expect(simulating({ change: save({}), rules: [] })).rejects.toMatchObject({
      code: "invalid",
      message: "Send `change` or `rules`, not both.",
      details: { errors: [{ path: "rules", message: "leave it out" }] },
    });
    const good = { name: "Good", tool: "*", verdict: "deny" };
    await expect(simulating({ rules: [good, { ...good, name: "Bad", pattern: "(" }] })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^Row 2 cannot be imported: The pattern cannot be used: missing closing \)/),
      details: { errors: [{ path: "change.rules.1.pattern", message: expect.stringContaining("close this parenthesis") }] },
    });
  });

  test("meets only the rules that hold now, for calls of whatever time", async () => {
    await record([shell("mkdir a")]);
    const after = (ms: number) => new Date(Date.now() + ms).toISOString();
    const ended = await createRule(writer(), draft({ name: "Ended", verdict: "deny", expiresAt: after(60_000) }));
    expect(flipsOf(await simulating({ change: save({ verdict: "allow", priority: 200 }) }))).toEqual(["1 deny > allow"]);
    await db()
      .update(guardRules)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(guardRules.id, ended.id));
    expect(flipsOf(await simulating({ change: save({ verdict: "allow" }) }))).toEqual(["1 require_approval > allow"]);
  });

  test("is told with the most frequent first, a hundred calls, and no more of a text than fits", async () => {
    const longest = `rm ${"x".repeat(997)}`;
    await record([...Array.from({ length: 101 }, (_, at) => shell(`mkdir ${at}`)), shell(longest), shell(`${longest}x`)]);
    const change: PlannedChange = {
      kind: "save",
      rule: draft({ pattern: "^mkdir" }),
      id: null,
      otherwise: draft({ verdict: "deny", priority: 9 }),
    };
    const simulation = await simulating({ change });
    expect(flipsOf(simulation)).toEqual(["101 require_approval > allow", "2 require_approval > deny"]);
    expect(simulation.calls).toHaveLength(100);
    expect(simulation.calls.slice(0, 3).map(({ seen }) => seen)).toEqual([`${longest}…`, longest, "mkdir 100"]);
  });

  test("costs so many approvals a day, over the days from the oldest call until now", async () => {
    await record([shell("mkdir a"), shell("touch a"), shell("touch b")]);
    const dayMs = 24 * 3_600_000;
    const oldest = new Date(Date.now() - 2 * dayMs);
    await db()
      .update(toolCalls)
      .set({ createdAt: oldest })
      .where(and(eq(toolCalls.workspaceId, built.workspace.id), eq(toolCalls.position, 0)));
    const simulation = await simulating({ change: save({ pattern: "^mkdir" }) });
    expect(simulation.from).toBe(oldest.toISOString());
    expect(Date.parse(String(simulation.to))).toBeGreaterThan(oldest.getTime() + dayMs);
    expect(simulation.days).toBeCloseTo(2, 2);
    expect(simulation.approvalsPerDay.before).toBeCloseTo(1.5, 2);
    expect(simulation.approvalsPerDay.after).toBeCloseTo(1, 2);
  });

  test("says nothing of calls of tools that are gone, and counts them", async () => {
    await record([shell("mkdir a"), { name: "gone_tool", arguments: {} }]);
    expect(await simulating({ change: save({}) })).toMatchObject({ examined: 1, total: 2, flips: [{ calls: 1 }] });
  });
});

test("more calls than are read at once are all tried, and a page goes on where its cursor says", async () => {
  await record(Array.from({ length: 1_003 }, (_, at) => shell(`mkdir ${at}`)));
  const change = save({ pattern: "^mkdir" });
  const ids = (
    await db().select({ id: toolCalls.id }).from(toolCalls).where(eq(toolCalls.workspaceId, built.workspace.id)).orderBy(toolCalls.id)
  ).map(({ id }) => id);
  const tried = async (cursor?: string) => {
    let examined = 0;
    for (let next: string | null | undefined = cursor; next !== null; ) {
      const page = await simulating({ change, ...(next ? { cursor: next } : {}) });
      expect(page.total).toBe(1_003);
      examined += page.examined;
      next = page.nextCursor;
    }
    return examined;
  };
  expect(await tried()).toBe(1_003);
  const period = [0, Date.now()] as const;
  expect(await tried(encodeCursor([String(ids.at(-3)), ...period]))).toBe(1_000);
  expect(await tried(encodeCursor([String(ids[0]), ...period]))).toBe(0);
  await expect(simulating({ change, cursor: encodeCursor([1]) })).rejects.toMatchObject({ code: "invalid" });
});

test.each([
  [2, [2]],
  [4, [3, 1]],
])("a page is over when 700 ms have passed: %i calls of 350 ms each", async (count, pages) => {
  await record(Array.from({ length: count }, (_, at) => shell(`mkdir ${at}`)));
  const { signal: slow } = new AbortController();
  vi.spyOn(slow, "aborted", "get").mockImplementation(() => {
    vi.advanceTimersByTime(350);
    return false;
  });
  const examined: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = { over: { days: 30 }, change: save({}), ...(cursor ? { cursor } : {}) };
    const page = await simulate(reader(), body, slow);
    expect(page.total).toBe(count);
    examined.push(page.examined);
    cursor = page.nextCursor;
  }
  expect(examined).toEqual(pages);
});

test("a page has one call at least, however late it comes", async () => {
  await record([shell("mkdir a"), shell("mkdir b")]);
  let time = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => {
    time += 1_000;
    return time;
  });
  const page = await simulating({ change: save({}) });
  now.mockRestore();
  expect(page).toMatchObject({ examined: 1, total: 2, nextCursor: expect.any(String) });
});

test("nothing more is tried for somebody who has gone", async () => {
  await record([shell("mkdir a")]);
  const simulation = await simulate(reader(), { over: { days: 30 }, change: save({}) }, AbortSignal.abort());
  expect(simulation).toMatchObject({ examined: 0, nextCursor: null });
});

test("a period may begin and end beyond all times that ids can have", async () => {
  await record([shell("mkdir a"), shell("touch a")]);
  const ids = await db().select({ id: toolCalls.id }).from(toolCalls).where(eq(toolCalls.workspaceId, built.workspace.id));
  const newest = ids
    .map(({ id }) => id)
    .sort()
    .at(-1);
  const cursor = encodeCursor([String(newest), -1, 2 ** 48]);
  expect(await simulating({ change: save({}), cursor })).toMatchObject({ examined: 1, total: 2 });
  const over = { from: "1960-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z" };
  expect(await simulating({ change: save({}), over })).toMatchObject({ examined: 2 });
});

test("a version that is restored brings its settings with it, and a change leaves them", async () => {
  await record([{ name: "read_file", arguments: { path: "a" }, verdict: "allow" }, shell("mkdir a")]);
  await updateConfig(writer(), { defaultPolicy: "deny" }, null);
  expect(flipsOf(await simulating({ change: { kind: "restore", version: 1 } })).sort()).toEqual([
    "1 deny > allow",
    "1 deny > require_approval",
  ]);
  expect(flipsOf(await simulating({ change: save({}) }))).toEqual(["1 deny > allow"]);
  expect(flipsOf(await simulating({ change: save({ tool: "bash" }), config: { defaultPolicy: "allow" } }))).toEqual(["2 deny > allow"]);
  expect(flipsOf(await simulating({ config: { deniedTools: ["shell_execute"] } }))).toEqual([]);
});

test("calls are tried as they ran, in the sandbox or without it, and sensitive paths are those of each policy", async () => {
  await record([
    shell("cat plan.md"),
    { ...shell("cat plan.md"), verdict: "allow", sandboxed: true },
    { ...shell("mkdir a"), sandboxed: true },
  ]);
  const simulation = await simulating({ change: save({ pattern: "^never" }) });
  expect(simulation.approvals).toEqual({ before: 0, after: 0 });
  const sensitive = await simulating({ config: { sensitivePaths: ["plan.md"] } });
  expect(flipsOf(sensitive)).toEqual(["2 allow > require_approval"]);
  expect(sensitive.calls[0]?.why).toContain("file.sensitive");
});

test("there is nothing to try of a workspace that does not exist", async () => {
  const nobody = { ...reader(), workspaceId: newId() };
  await expect(simulate(nobody, { over: { days: 30 } })).rejects.toThrow("this workspace has no policy");
});

test("calls of other times and other workspaces are left alone", async () => {
  await record([shell("mkdir a")]);
  const past = { from: "2020-01-01T00:00:00Z", to: "2020-02-01T00:00:00Z" };
  expect(await simulating({ over: past, change: save({}) })).toMatchObject({ examined: 0, total: 0, from: null, flips: [] });
  const soon = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
  expect(await simulating({ over: soon, change: save({}) })).toMatchObject({ examined: 1 });
  built = await buildWorkspace();
  expect(await simulating({ change: save({}) })).toMatchObject({ examined: 0 });
});

test("a period has every call of its first and of its last millisecond", async () => {
  await record(Array.from({ length: 4 }, () => shell("mkdir a")));
  const ids = [
    "018bcfe567ff-7fff-bfff-ffffffffffff",
    "018bcfe56800-7000-8000-000000000000",
    "018bcfe56800-7fff-bfff-ffffffffffff",
    "018bcfe56801-7000-8000-000000000000",
  ];
  for (const [position, id] of ids.entries())
    await db()
      .update(toolCalls)
      .set({ id: `${id.slice(0, 8)}-${id.slice(8)}` })
      .where(and(eq(toolCalls.workspaceId, built.workspace.id), eq(toolCalls.position, position)));
  const millisecond = new Date(0x018bcfe56800).toISOString();
  expect(await simulating({ over: { from: millisecond, to: millisecond }, change: save({}) })).toMatchObject({ examined: 2 });
});

test("the last calls are as many as were asked for, and secrets in them are masked", async () => {
  await record([shell("mkdir a"), shell("touch a"), shell("curl -H 'Authorization: Bearer abcdefghijklmnop0123456789' x.example")]);
  const { calls, examined, nextCursor } = await simulating({ over: { last: 2 }, change: save({ verdict: "deny" }) });
  expect({ examined, nextCursor }).toEqual({ examined: 2, nextCursor: null });
  expect(calls.map(({ seen }) => seen)).toEqual([expect.not.stringContaining("abcdefghijklmnop0123456789"), "touch a"]);
});

test("ten thousand calls are tried without keeping anybody waiting, page after page", { timeout: 60_000 }, async () => {
  vi.useRealTimers();
  await record(
    Array.from({ length: 10_000 }, (_, index) =>
      shell(`${index % 3 === 0 ? "mkdir" : "git add"} src/file-${index}.ts | head -${index % 50}`),
    ),
  );
  let longest = 0;
  const startedAt = performance.now();
  let last = startedAt;
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  let page = await simulating({ change: save({ pattern: "^(mkdir|head)\\b" }) });
  const flips = new Map<string, number>();
  let examined = 0;
  for (;;) {
    examined += page.examined;
    for (const { before, after, calls } of page.flips) flips.set(`${before} ${after}`, (flips.get(`${before} ${after}`) ?? 0) + calls);
    if (page.nextCursor === null) break;
    page = await simulating({ change: save({ pattern: "^(mkdir|head)\\b" }), cursor: page.nextCursor });
  }
  clearInterval(watch);
  // A share of the whole time, because a slow machine takes longer for everything.
  expect(longest / (performance.now() - startedAt)).toBeLessThan(0.5);
  expect(examined).toBe(10_000);
  expect(flips).toEqual(new Map([["require_approval allow", 3_334]]));
});
