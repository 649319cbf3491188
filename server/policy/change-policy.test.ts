import { desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, guardRules, workspaces } from "@/db/schema";
import { decide } from "@/server/guard/decide";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { buildRequest, readTool } from "@/server/testing/guard/guarded-calls";
import { authorizePolicy, draftRule, type PolicyAdmin } from "@/server/testing/guard/policy-stage";
import { buildRecordedTools } from "@/server/testing/recorded-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { loadPolicy } from "./policy";
import { createRule } from "./rules/create-rule";
import { getRule } from "./rules/get-rule";
import { getConfig, updateConfig } from "./rules/guard-config";
import { listRules } from "./rules/list-rules";
import { orderRules } from "./rules/order-rules";
import { removeRule } from "./rules/remove-rule";
import { updateRule } from "./rules/update-rule";
import { getVersion } from "./versions/get-version";
import { listVersions } from "./versions/list-versions";
import { restoreVersion } from "./versions/restore-version";

useTestDatabase();

let admin: PolicyAdmin;
let workspaceId: string;

beforeEach(async () => {
  const built = await buildWorkspace();
  admin = authorizePolicy(built.admin);
  workspaceId = built.workspace.id;
});

const readVerdict = async () => decide(await loadPolicy(workspaceId), buildRequest(readTool, { path: "a" })).verdict;
const names = async () => (await listRules(admin)).items.map(({ name }) => name);

async function newestEvent() {
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.workspaceId, workspaceId))
    .orderBy(desc(auditEvents.id))
    .limit(1);
  return event;
}

test("a rule for a tool that does not exist is saved, and the answer says that it never holds", async () => {
  await buildRecordedTools(workspaceId);
  const saved = await createRule(admin, draftRule({ tool: "read_fil" }));
  expect(saved.warnings).toMatchObject([{ kind: "unknown_tool", instead: { tool: "read_file" } }]);
  const allowing = draftRule({ tool: "read_file", pattern: "^docs", verdict: "allow" });
  expect((await updateRule(admin, saved.id, allowing, null)).warnings).toMatchObject([
    { kind: "open_pattern", instead: { pattern: "^docs(?:/|$)" } },
  ]);
  expect(await getRule(admin, saved.id)).not.toHaveProperty("warnings");
});

test("a rule about what calls do is saved, kept in versions and holds for every tool that does it", async () => {
  const saved = await createRule(admin, draftRule({ tool: "does:reads_path", pattern: "^a$" }));
  expect(saved).toMatchObject({ tool: "does:reads_path", warnings: [] });
  expect(await readVerdict()).toBe("deny");
  const { diff } = await getVersion(admin, 2, "previous");
  expect(diff.rules).toMatchObject([
    { kind: "added", fields: expect.arrayContaining([expect.objectContaining({ field: "tool", after: "does:reads_path" })]) },
  ]);
  await expect(createRule(admin, draftRule({ tool: "does:reads_path", parameter: "path" }))).rejects.toMatchObject({ code: "invalid" });
  await expect(updateConfig(admin, { deniedTools: ["does:reads_path"] }, null)).rejects.toMatchObject({ code: "invalid" });
});

describe("a saved rule", () => {
  test("holds for the next decision", async () => {
    expect(await readVerdict()).toBe("allow");
    const rule = await createRule(admin, draftRule());
    expect(await readVerdict()).toBe("deny");
    await updateRule(admin, rule.id, draftRule({ verdict: "allow" }), null);
    expect(await readVerdict()).toBe("allow");
    await updateRule(admin, rule.id, draftRule(), null);
    await removeRule(admin, rule.id, null);
    expect(await readVerdict()).toBe("allow");
  });

  test("cannot end before it begins; one that has ended can still be changed in everything else", async () => {
    const past = "2020-01-01T00:00:00.000Z";
    const refusal = { code: "invalid", details: { errors: [{ path: "expiresAt" }] } };
    await expect(createRule(admin, draftRule({ expiresAt: past }))).rejects.toMatchObject(refusal);
    const rule = await createRule(admin, draftRule());
    await expect(updateRule(admin, rule.id, draftRule({ expiresAt: past }), null)).rejects.toMatchObject(refusal);
    await db()
      .update(guardRules)
      .set({ expiresAt: new Date(past) })
      .where(eq(guardRules.id, rule.id));
    const changed = await updateRule(admin, rule.id, draftRule({ expiresAt: past, priority: 7 }), null);
    expect(changed).toMatchObject({ expiresAt: past, priority: 7 });
  });

  test("makes a version and an audit row with the old and the new content", async () => {
    const rule = await createRule(admin, draftRule({ expiresAt: "2099-01-01T00:00:00.000Z" }));
    expect(rule.expiresAt).toBe("2099-01-01T00:00:00.000Z");
    expect(await newestEvent()).toMatchObject({
      event: "guard_rule.created",
      subject: rule.id,
      data: { new: { id: rule.id, priority: 100 }, policyVersion: 2 },
    });
    await updateRule(admin, rule.id, draftRule({ priority: 5 }), null);
    expect(await newestEvent()).toMatchObject({
      event: "guard_rule.updated",
      subject: rule.id,
      actorId: admin.id,
      requestId: admin.requestId,
      data: { old: { priority: 100 }, new: { priority: 5 }, policyVersion: 3 },
    });
    const { items } = await listVersions(admin);
    expect(items.map(({ version, summary, rules }) => [version, summary, rules])).toEqual([
      [3, 'Changed the rule "No reading"', 1],
      [2, 'Added the rule "No reading"', 1],
      [1, "The policy of a new workspace", 0],
    ]);
    expect((await getConfig(admin)).policyVersion).toBe(3);
    await removeRule(admin, rule.id, null);
    expect(await newestEvent()).toMatchObject({
      event: "guard_rule.removed",
      subject: rule.id,
      data: { old: { id: rule.id, priority: 5 }, policyVersion: 4 },
    });
    expect((await listVersions(admin)).items[0]?.summary).toBe('Removed the rule "No reading"');
  });

  test("counts up the workspace's config version", async () => {
    const version = async () => (await db().select().from(workspaces).where(eq(workspaces.id, workspaceId)))[0]?.configVersion ?? 0;
    const before = await version();
    await createRule(admin, draftRule());
    expect(await version()).toBe(before + 1);
  });

  test("for an alias of a tool is stored under the tool's name", async () => {
    await buildRecordedTools(workspaceId);
    expect((await createRule(admin, draftRule({ tool: "bash" }))).tool).toBe("shell_execute");
    expect((await createRule(admin, draftRule({ tool: "Shell*" }))).tool).toBe("Shell*");
  });

  test.each([
    [{ pattern: "^(ls" }, "pattern", "at character 2"],
    [{ pattern: "a(?=b)" }, "pattern", "looking ahead"],
    [{ tool: "effect:delete" }, "tool", "read, write or destroy"],
  ])("with %j is refused and nothing is written", async (content, path, message) => {
    const refused = createRule(admin, draftRule(content));
    await expect(refused).rejects.toMatchObject({
      code: "invalid",
      details: { errors: [{ path, message: expect.stringContaining(message) }] },
    });
    expect(await names()).toEqual([]);
    expect((await getConfig(admin)).policyVersion).toBe(1);
  });

  test("names only detectors that there are and that may be relaxed", async () => {
    const saved = await createRule(admin, draftRule({ relaxes: ["file.sensitive"] }));
    expect(saved.relaxes).toEqual(["file.sensitive"]);
    expect((await getVersion(admin, 2, "previous")).diff.rules[0]?.fields).toContainEqual({
      field: "relaxes",
      before: null,
      after: ["file.sensitive"],
    });
    for (const [id, message] of [
      ["file.sensitiv", "there is no detector file.sensitiv"],
      ["mcp.prototype", "the detector mcp.prototype may not be relaxed"],
      ["floor.fork_bomb", "belongs to the hard floor, which nothing relaxes"],
    ] as const) {
      await expect(updateRule(admin, saved.id, draftRule({ relaxes: ["file.sensitive", id] }), null)).rejects.toMatchObject({
        code: "invalid",
        message: expect.stringContaining("The list of relaxed detectors cannot be used"),
        details: { errors: [{ path: "relaxes.1", message: expect.stringContaining(message) }] },
      });
    }
  });

  test("is not changed by somebody who saw an older one", async () => {
    const rule = await createRule(admin, draftRule());
    const changed = await updateRule(admin, rule.id, draftRule({ name: "Second" }), rule.version);
    expect(changed.version).toBe(rule.version + 1);
    await expect(updateRule(admin, rule.id, draftRule({ name: "Third" }), rule.version)).rejects.toMatchObject({
      code: "stale_version",
      message: 'Somebody changed the rule "Second" meanwhile. Reload the rule, then repeat your change.',
    });
    await expect(removeRule(admin, rule.id, rule.version)).rejects.toMatchObject({ code: "stale_version" });
    expect((await getRule(admin, rule.id)).name).toBe("Second");
    await removeRule(admin, rule.id, changed.version);
  });

  test("of another workspace does not exist", async () => {
    const other = await buildWorkspace();
    const theirs = await createRule(authorize(other.admin, "guard:write"), draftRule());
    await expect(getRule(admin, theirs.id)).rejects.toMatchObject({
      code: "not_found",
      message: "There is no such rule. It may have been removed; load the list again.",
    });
    await expect(updateRule(admin, theirs.id, draftRule(), null)).rejects.toMatchObject({ code: "not_found" });
    await expect(removeRule(admin, theirs.id, null)).rejects.toMatchObject({ code: "not_found" });
    await expect(orderRules(admin, [theirs.id])).rejects.toMatchObject({ code: "conflict" });
    expect(await names()).toEqual([]);
    expect(await readVerdict()).toBe("allow");
  });
});

test("rules saved at the same time each get a version of their own", async () => {
  await Promise.all(["a", "b", "c", "d", "e"].map((name) => createRule(admin, draftRule({ name }))));
  const { items } = await listVersions(admin);
  expect(items.map(({ version, rules }) => [version, rules])).toEqual([6, 5, 4, 3, 2, 1].map((version) => [version, version - 1]));
});

test("rules are listed in the order in which they are tried, page by page", async () => {
  for (const [name, priority] of [
    ["low", 1],
    ["first", 50],
    ["second", 50],
    ["high", 90],
  ] as const) {
    await createRule(admin, draftRule({ name, priority }));
  }
  expect(await names()).toEqual(["high", "first", "second", "low"]);
  const page = await listRules(admin, { limit: 2 });
  expect(page).toMatchObject({ total: 4, items: [{ name: "high" }, { name: "first" }] });
  const next = await listRules(admin, { limit: 2, cursor: page.nextCursor ?? "" });
  expect(next).toMatchObject({ nextCursor: null, items: [{ name: "second" }, { name: "low" }] });
});

describe("the order of rules", () => {
  test("is what the list of ids says", async () => {
    const a = await createRule(admin, draftRule({ name: "a", verdict: "deny" }));
    const b = await createRule(admin, draftRule({ name: "b", verdict: "allow" }));
    expect(await readVerdict()).toBe("deny");
    const { items } = await orderRules(admin, [b.id, a.id]);
    expect(items.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(await readVerdict()).toBe("allow");
    expect(await newestEvent()).toMatchObject({ event: "guard_rules.reordered", data: { old: [a.id, b.id], new: [b.id, a.id] } });
    expect((await listVersions(admin)).items[0]?.summary).toBe("Changed the order of the rules");
  });

  test("is not changed by a list that is not the list of all rules", async () => {
    const a = await createRule(admin, draftRule({ name: "a" }));
    const b = await createRule(admin, draftRule({ name: "b" }));
    await expect(orderRules(admin, [a.id])).rejects.toMatchObject({
      code: "conflict",
      message: "The rules are not those of your list any more. Reload the rules, then repeat your change.",
    });
    await expect(orderRules(admin, [a.id, newId()])).rejects.toMatchObject({ code: "conflict" });
    await expect(orderRules(admin, [a.id, b.id, newId()])).rejects.toMatchObject({ code: "conflict" });
    await expect(orderRules(admin, [a.id, a.id])).rejects.toMatchObject({
      code: "invalid",
      message: "The order names a rule twice. Name each rule once.",
      details: { errors: [{ path: "ids", message: "name each rule once" }] },
    });
    expect((await getConfig(admin)).policyVersion).toBe(3);
  });

  test("is not changed by somebody who saw another one", async () => {
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name, at) => createRule(admin, draftRule({ name, priority: 30 - at }))));
    const [first, second, third] = [String(a?.id), String(b?.id), String(c?.id)];
    for (const seen of [
      [first, third, second],
      [first, second],
      [second, first, third],
    ]) {
      await expect(orderRules(admin, [third, second, first], seen)).rejects.toMatchObject({
        code: "stale_version",
        message: "Somebody changed the order of the rules meanwhile. Reload the rules, then repeat your change.",
      });
    }
    await orderRules(admin, [third, second, first], [first, second, third]);
    expect(await names()).toEqual(["c", "b", "a"]);
  });

  test("changes the version of the rules that get another priority, and of no other", async () => {
    const a = await createRule(admin, draftRule({ name: "a", priority: 20 }));
    const b = await createRule(admin, draftRule({ name: "b", priority: 5 }));
    const { items } = await orderRules(admin, [a.id, b.id]);
    expect(items).toMatchObject([
      { name: "a", priority: 20, version: 1 },
      { name: "b", priority: 10, version: 2 },
    ]);
  });
});

describe("the configuration", () => {
  test("changes by what is named, and holds at once", async () => {
    const config = await updateConfig(admin, { defaultPolicy: "deny" }, 1);
    expect(config).toMatchObject({ enabled: true, defaultPolicy: "deny", approvalTimeoutSeconds: 1_800, policyVersion: 2 });
    expect(await readVerdict()).toBe("deny");
    await updateConfig(admin, { enabled: false, approvalTimeoutSeconds: 60 }, null);
    expect(await readVerdict()).toBe("allow");
    expect(await newestEvent()).toMatchObject({
      event: "guard_config.updated",
      data: {
        old: { enabled: true, approvalTimeoutSeconds: 1_800 },
        new: { enabled: false, defaultPolicy: "deny", approvalTimeoutSeconds: 60 },
      },
    });
    expect((await listVersions(admin)).items[0]?.summary).toBe("Switched the guard off, set the approval timeout to 1 min");
  });

  test("is not changed by somebody who saw an older one", async () => {
    await createRule(admin, draftRule());
    await expect(updateConfig(admin, { enabled: false }, 1)).rejects.toMatchObject({ code: "stale_version" });
    expect((await getConfig(admin)).enabled).toBe(true);
  });
});

describe("an earlier version", () => {
  test("becomes the policy again, as a new version", async () => {
    const kept = await createRule(admin, draftRule({ name: "kept" }));
    const removed = await createRule(admin, draftRule({ name: "removed", priority: 50 }));
    await updateConfig(admin, { defaultPolicy: "deny" }, null);
    await updateRule(admin, kept.id, draftRule({ name: "renamed", verdict: "allow" }), null);
    await removeRule(admin, removed.id, null);
    await createRule(admin, draftRule({ name: "added later" }));

    const config = await restoreVersion(admin, 3);
    expect(config).toMatchObject({ defaultPolicy: "by_effect", policyVersion: 8 });
    expect((await listRules(admin)).items).toMatchObject([
      { id: kept.id, name: "kept", verdict: "deny", createdAt: kept.createdAt },
      { id: removed.id, name: "removed", createdAt: removed.createdAt },
    ]);
    expect(await readVerdict()).toBe("deny");
    expect(await newestEvent()).toMatchObject({ event: "guard_version.restored", subject: "3", data: { restored: 3, old: 7 } });
    expect((await listVersions(admin)).items[0]).toMatchObject({ version: 8, summary: "Restored version 3", rules: 2 });
  });

  test("leaves no old etag valid", async () => {
    const rule = await createRule(admin, draftRule());
    const changed = await updateRule(admin, rule.id, draftRule({ name: "changed" }), null);
    await restoreVersion(admin, 2);
    await expect(updateRule(admin, rule.id, draftRule(), rule.version)).rejects.toMatchObject({ code: "stale_version" });
    await expect(updateRule(admin, rule.id, draftRule(), changed.version)).rejects.toMatchObject({ code: "stale_version" });
  });

  test("without rules restores a policy without rules", async () => {
    await createRule(admin, draftRule());
    await restoreVersion(admin, 1);
    expect(await names()).toEqual([]);
  });

  test("that does not exist, or is another workspace's, is not found", async () => {
    const other = await buildWorkspace();
    await createRule(authorize(other.admin, "guard:write"), draftRule());
    await expect(restoreVersion(admin, 2)).rejects.toMatchObject({ code: "not_found" });
    expect((await getConfig(admin)).policyVersion).toBe(1);
  });
});

describe("the policy in memory", () => {
  test("is compiled once and kept while nothing changes", async () => {
    await createRule(admin, draftRule());
    expect(await loadPolicy(workspaceId)).toBe(await loadPolicy(workspaceId));
  });

  test("is kept over a change of something else", async () => {
    const before = await loadPolicy(workspaceId);
    expect(await loadPolicy(workspaceId, 1_000)).toBe(before);
  });

  test("is read again for a caller that saw a newer configuration, whoever saved it", async () => {
    await loadPolicy(workspaceId);
    const own = eq(guardRules.workspaceId, workspaceId);
    await createRule(admin, draftRule());
    // Saves as another replica would: the rows change, and no signal has arrived yet.
    await db().update(guardRules).set({ verdict: "allow" }).where(own);
    await db().execute(`update guard_config set policy_version = policy_version + 1 where workspace_id = '${workspaceId}'`);
    await db().execute(`update workspaces set config_version = config_version + 1 where id = '${workspaceId}'`);
    const [workspace] = await db().select().from(workspaces).where(eq(workspaces.id, workspaceId));
    const policy = await loadPolicy(workspaceId, workspace?.configVersion);
    expect(policy.rules).toMatchObject([{ verdict: "allow" }]);
  });

  test("is that of the workspace that asks", async () => {
    const other = await buildWorkspace();
    await createRule(authorize(other.admin, "guard:write"), draftRule());
    expect((await loadPolicy(workspaceId)).rules).toEqual([]);
    expect((await loadPolicy(other.workspace.id)).rules).toHaveLength(1);
  });
});

test("people without the permission cannot change the policy", async () => {
  const { viewer, approver, agentKey } = await buildWorkspace();
  for (const actor of [viewer, approver, agentKey]) expect(() => authorize(actor, "guard:write")).toThrow("guard:write");
});
