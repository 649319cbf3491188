import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { GuardRuleDraft } from "@/contracts/guard/guard";
import { RuleContext } from "@/contracts/guard/rule-conditions";
import { toolCalls, tools } from "@/db/schema";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { draftRule, recordCalls } from "@/server/testing/guard/policy-stage";
import { buildRecordedTools } from "@/server/testing/recorded-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { loadPolicy } from "../policy";
import { createRule } from "../rules/create-rule";
import { previewRule } from "./preview-rule";

useTestDatabase();

let built: BuiltWorkspace;

beforeEach(async () => {
  built = await buildWorkspace();
  await buildRecordedTools(built.workspace.id);
});

const draft = draftRule({ tool: "shell_execute", pattern: "^(mkdir|touch|ls|cat)\\b", verdict: "allow" });
const preview = (rule: Partial<GuardRuleDraft>, id: string | null = null, last = 50) =>
  previewRule(authorize(built.admin, "guard:read"), { rule: { ...draft, ...rule }, id, last });

describe("a rule that is being written", () => {
  test("is tried on calls as they came: from their own folder, agent and key", async () => {
    const conversation = await buildConversation(built.agentKey);
    const folder = workspaceFolder(conversation, built.agent);
    await recordCalls(built.agentKey, [{ arguments: { command: `touch ${folder}/a` } }], conversation);
    const [own] = (await preview({})).calls;
    expect(own).toMatchObject({ result: "matched", before: "require_approval", after: "allow" });
    const elsewhere = await buildConversation(built.agentKey);
    await recordCalls(built.agentKey, [{ arguments: { command: `touch ${folder}/a` } }], elsewhere);
    expect((await preview({})).calls[0]).toMatchObject({ before: "require_approval", after: "require_approval" });

    const ofAgent = { agents: [built.agent.name] };
    const asked = await preview({ context: RuleContext.parse(ofAgent) }, null, 1);
    expect(asked.calls[0]?.result).toBe("matched");

    const limits = { name: "Reader", scopes: ["turns:write" as const], allowedEffects: ["read" as const] };
    const { id, name } = await createApiKey(authorize(built.admin, "admin"), limits);
    await recordCalls({ ...built.agentKey, id, name }, [{ arguments: { command: "mkdir -p a" } }], conversation);
    expect((await preview({})).calls[0]).toMatchObject({ result: "matched", before: "deny", after: "deny" });
  });

  test("shows which of the last calls it matches, what its pattern sees, and what would change", async () => {
    await recordCalls(built.agentKey, [
      { arguments: { command: "mkdir -p a" } },
      { arguments: { command: "mkdir a; rm x" } },
      { name: "read_file", arguments: { path: "a" }, verdict: "allow" },
      { arguments: { command: "rm x" }, verdict: "deny" },
    ]);
    expect(await preview({})).toMatchObject({
      patternError: null,
      tools: ["shell_execute"],
      examined: 3,
      matched: 1,
      calls: [
        { seen: "rm x", result: "not_matched", before: "require_approval", after: "require_approval" },
        {
          seen: "mkdir a; rm x",
          result: "not_matched",
          why: "The second command `rm x` does not match the pattern.",
          after: "require_approval",
        },
        { seen: "mkdir -p a", result: "matched", before: "require_approval", after: "allow" },
      ],
    });
  });

  test("saves nothing", async () => {
    await preview({});
    expect(await preview({})).toMatchObject({ tools: ["shell_execute"] });
    expect((await loadPolicy(built.workspace.id)).version).toBe(1);
  });

  test("may have a pattern that is not valid yet, and still shows what it would see", async () => {
    await recordCalls(built.agentKey, [{ arguments: { command: "mkdir a" } }]);
    const { patternError, matched, calls } = await preview({ pattern: "^(mkdir" });
    expect(patternError).toEqual({ message: expect.stringContaining("close this parenthesis"), index: 1 });
    expect(matched).toBe(0);
    expect(calls).toMatchObject([{ seen: "mkdir a", result: "could_not_evaluate", before: "require_approval", after: "require_approval" }]);
  });

  test("may have an exception that is not valid yet, which changes nothing", async () => {
    await recordCalls(built.agentKey, [{ arguments: { command: "mkdir a" } }]);
    const { patternError, excludeError, calls } = await preview({ excludePattern: "^(mkdir" });
    expect(patternError).toBeNull();
    expect(excludeError).toEqual({ message: expect.stringContaining("close this parenthesis"), index: 1 });
    expect(calls).toMatchObject([{ result: "could_not_evaluate", before: "require_approval", after: "require_approval" }]);
    expect((await preview({ verdict: "deny", excludePattern: "^(mkdir" })).calls).toMatchObject([{ after: "require_approval" }]);
    expect((await preview({ verdict: "deny", pattern: "^(mkdir" })).calls).toMatchObject([{ after: "require_approval" }]);
    expect(await preview({ excludePattern: "x" })).toMatchObject({ patternError: null, excludeError: null, calls: [{ after: "allow" }] });
  });

  test("is shown beside a call that nobody can read, which stays denied", async () => {
    await recordCalls(built.agentKey, [
      { arguments: { command: "((".repeat(100) }, verdict: "deny" },
      { arguments: { command: "mkdir a" } },
    ]);
    const { calls } = await preview({ pattern: "^mkdir" });
    expect(calls).toMatchObject([
      { seen: "mkdir a", result: "matched", after: "allow" },
      {
        result: "could_not_evaluate",
        why: "The call is too much to be read with certainty, so it is denied.",
        before: "deny",
        after: "deny",
      },
    ]);
  });

  test("says which tools it covers, also for an alias, a glob and a kind", async () => {
    expect((await preview({ tool: "bash" })).tools).toEqual(["shell_execute"]);
    expect((await preview({ tool: "*" })).tools).toEqual(["read_file", "shell_execute"]);
    expect((await preview({ tool: "effect:read" })).tools).toEqual(["read_file"]);
    expect((await preview({ tool: "shell_exe" })).tools).toEqual([]);
    expect((await preview({ tool: "effect:reads" })).patternError).toEqual({
      message: expect.stringContaining("read, write or destroy"),
      index: null,
    });
  });

  test("replaces the saved rule that it is a change of", async () => {
    await recordCalls(built.agentKey, [{ arguments: { command: "mkdir a" }, verdict: "deny" }]);
    const saved = await createRule(authorize(built.admin, "guard:write"), {
      ...draft,
      name: "No shell",
      pattern: null,
      verdict: "deny",
      priority: 200,
    });
    expect((await preview({})).calls).toMatchObject([{ result: "matched", after: "deny" }]);
    expect((await preview({ priority: 200 }, saved.id)).calls).toMatchObject([{ result: "matched", after: "allow" }]);
    expect((await preview({ enabled: false }, saved.id)).calls).toMatchObject([{ result: "matched", after: "require_approval" }]);
  });

  test("looks at the newest calls that were decided, those that wait or run too", async () => {
    await recordCalls(built.agentKey, [
      { arguments: { command: "mkdir 1" } },
      { arguments: { command: "mkdir 2" } },
      { arguments: { command: "mkdir 3" }, status: "running" },
      { arguments: { command: "mkdir 4" }, verdict: null },
      { arguments: { command: "mkdir 5" } },
    ]);
    const { calls } = await preview({}, null, 2);
    expect(calls.map(({ seen }) => seen)).toEqual(["mkdir 5", "mkdir 3"]);
    const [newest] = await db()
      .select()
      .from(toolCalls)
      .where(eq(toolCalls.id, calls[0]?.callId ?? ""));
    expect(calls[0]?.at).toBe(newest?.finishedAt?.toISOString());
    expect((await preview({}, null, 10)).calls.map(({ seen }) => seen)).toEqual(["mkdir 5", "mkdir 3", "mkdir 2", "mkdir 1"]);
  });

  test("shows no secret of the calls, and no more of a text than fits", async () => {
    const secret = `ghp_${"a1".repeat(18)}`;
    const longest = `mkdir ${"x".repeat(3_994)}`;
    await recordCalls(
      built.agentKey,
      [longest, `mkdir ${secret}`, `${longest}x`].map((command) => ({ arguments: { command } })),
    );
    const { calls } = await preview({});
    expect(calls[2]?.seen).toBe(longest);
    expect(calls[0]?.seen).toBe(`mkdir ${"x".repeat(3_994)}…`);
    expect(JSON.stringify(calls)).not.toContain(secret);
    expect(calls[1]?.seen).toContain("***");
  });

  test("sees no call and no rule of another workspace", async () => {
    const other = await buildWorkspace();
    await recordCalls(other.agentKey, [{ arguments: { command: "mkdir a" } }]);
    const theirs = await createRule(authorize(other.admin, "guard:write"), { ...draft, name: "Theirs" });
    expect(await preview({})).toMatchObject({ examined: 0, calls: [] });
    await expect(preview({}, theirs.id)).rejects.toMatchObject({ code: "not_found" });
  });
});

test("a recorded call is decided with the trust of its submitter", async () => {
  await db()
    .update(tools)
    .set({ requiredTrust: "operator" })
    .where(and(eq(tools.workspaceId, built.workspace.id), eq(tools.name, "read_file")));
  await recordCalls(built.agentKey, [{ name: "read_file", arguments: { path: "a" } }]);
  const conversation = await buildConversation(built.agentKey);
  await recordCalls(built.admin, [{ name: "read_file", arguments: { path: "a" } }], conversation);
  await recordCalls({ ...built.agentKey, id: newId() }, [{ name: "read_file", arguments: { path: "a" } }], conversation);
  const befores = (await preview({ tool: "read_file", pattern: null })).calls.map(({ before }) => before);
  expect(befores).toEqual(["deny", "allow", "deny"]);
});
