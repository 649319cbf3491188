import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "@/contracts/common";
import { type ImportMode, policyEndpoints } from "@/contracts/guard/policy";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { buildWorkspace } from "@/server/testing/builders";
import { authorizePolicy, draftRule, type PolicyAdmin } from "@/server/testing/guard/policy-stage";
import { buildRecordedTools } from "@/server/testing/recorded-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { getVersion } from "../versions/get-version";
import { listVersions } from "../versions/list-versions";
import { restoreVersion } from "../versions/restore-version";
import { createRule } from "./create-rule";
import { exportRules } from "./export-rules";
import { getConfig, updateConfig } from "./guard-config";
import { importRules } from "./import-rules";
import { listDetectors } from "./list-detectors";
import { listRules } from "./list-rules";
import { removeRule } from "./remove-rule";
import { updateRule } from "./update-rule";

useTestDatabase();

let admin: PolicyAdmin;
beforeEach(async () => {
  const built = await buildWorkspace();
  admin = authorizePolicy(built.admin);
});

const names = async () => (await listRules(admin)).items.map(({ name }) => name);
const importing = (rules: Json[], mode: ImportMode = "merge", dryRun = false) => importRules(admin, { rules, mode, dryRun }, null);

test("an export comes back as it was, in the same workspace and in another", async () => {
  await createRule(admin, draftRule({ name: "First", priority: 20, comparisons: [{ parameter: "n", operator: ">", value: 1 }] }));
  await createRule(admin, draftRule({ name: "Second", priority: 10, excludePattern: "x", enabled: false }));
  const exported = policyEndpoints.exportRules.response.parse(await exportRules(admin));
  expect(exported).toMatchObject({ schema: "handrail.guard.v1", count: 2, rules: [{ name: "First" }, { name: "Second" }] });
  expect(Object.keys(exported.rules[0] ?? {})).not.toContain("version");
  expect(await importing(exported.rules)).toMatchObject({ applied: true, inserted: 0, updated: 0, skipped: 2, diff: { total: 0 } });

  const other = await buildWorkspace();
  const stranger = authorizePolicy(other.admin);
  const there = await importRules(stranger, { rules: exported.rules, mode: "merge", dryRun: false }, null);
  expect(there).toMatchObject({ inserted: 2, updated: 0 });
  const again = await importRules(stranger, { rules: exported.rules, mode: "merge", dryRun: false }, null);
  expect(again).toMatchObject({ inserted: 0, skipped: 2 });
  const copies = policyEndpoints.exportRules.response.parse(await exportRules(stranger)).rules;
  expect(copies.map(({ id: _id, ...rule }) => rule)).toEqual(exported.rules.map(({ id: _id, ...rule }) => rule));
  expect(await names()).toEqual(["First", "Second"]);
});

test("an import of rules that may not mean what they say warns with the row and the name of each, before and after it is applied", async () => {
  await buildRecordedTools(admin.workspaceId);
  const rules = [
    draftRule({ name: "Fine", tool: "shell_execute", pattern: "^git log(?: |$)", verdict: "allow" }),
    draftRule({ name: "Open", tool: "shell_execute", pattern: "^git log", verdict: "allow" }),
    draftRule({ name: "Docker", tool: "shell_execute", pattern: "^docker(?: |$)", verdict: "allow" }),
    draftRule({ name: "Misspelt", tool: "reed_file" }),
  ];
  const expected = [
    { row: 1, name: "Open", warning: { kind: "open_pattern", instead: { pattern: "^git log(?: |$)" } } },
    { row: 2, name: "Docker", warning: { kind: "machine_program" } },
    { row: 3, name: "Misspelt", warning: { kind: "unknown_tool", instead: { tool: "read_file" } } },
  ];
  for (const dryRun of [true, false]) expect((await importing(rules, "merge", dryRun)).warnings).toMatchObject(expected);
  expect((await importing(rules)).warnings, "rules that are there already").toEqual([]);
});

describe("settings", () => {
  const settings = {
    defaultPolicy: "deny" as const,
    deniedTools: ["write_file"],
    sensitivePaths: ["**/payroll/**"],
    escalatePatterns: ["payout"],
  };
  const other = async () => {
    const built = await buildWorkspace();
    return authorizePolicy(built.admin);
  };

  test("go with the rules into a file and into another workspace, and a dry run shows them without a change", async () => {
    const detector = (await listDetectors(admin)).items.find(({ id, verdict }) => !id.startsWith("floor.") && verdict !== "deny");
    const detectors = { [detector?.id ?? ""]: { enabled: true, verdict: "deny" as const } };
    await updateConfig(admin, { ...settings, detectors }, null);
    await createRule(admin, draftRule({ name: "Kept" }));
    const exported = policyEndpoints.exportRules.response.parse(await exportRules(admin));
    expect(exported.settings).toMatchObject({ ...settings, detectors });
    expect(exported.settings).not.toHaveProperty("enabled");
    const stranger = await other();
    const body = policyEndpoints.importRules.body.parse({ ...exported, dryRun: true });
    const looked = await importRules(stranger, body, null);
    expect(looked).toMatchObject({ applied: false, inserted: 1 });
    expect(looked.diff.settings.map(({ field }) => field).toSorted()).toEqual([...Object.keys(settings), "detectors"].toSorted());
    expect((await getConfig(stranger)).defaultPolicy).toBe("by_effect");
    const done = await importRules(stranger, { ...body, dryRun: false }, null);
    expect(done).toMatchObject({ applied: true, diff: { settings: looked.diff.settings } });
    expect(await getConfig(stranger)).toMatchObject({ ...settings, detectors, enabled: true });
    const [version] = (await listVersions(stranger)).items;
    expect(version?.summary).toBe("Imported rules: 1 added, 5 settings");
  });

  test("of an older file, which has none, stay as they are", async () => {
    await updateConfig(admin, { deniedTools: ["write_file"] }, null);
    const body = policyEndpoints.importRules.body.parse({ schema: "handrail.guard.rules.v1", rules: [draftRule({ name: "Old" })] });
    expect(await importRules(admin, body, null)).toMatchObject({ inserted: 1, diff: { settings: [] } });
    expect((await getConfig(admin)).deniedTools).toEqual(["write_file"]);
  });

  test("that cannot be used keep everything out, with their place", async () => {
    const body = {
      rules: [draftRule({ name: "New" })],
      settings: { detectors: { nonsense: { enabled: false } } },
      mode: "merge" as const,
      dryRun: false,
    };
    await expect(importRules(admin, body, null)).rejects.toMatchObject({
      code: "invalid",
      details: { errors: [{ path: "settings.detectors.nonsense" }] },
    });
    expect(await names()).toEqual([]);
  });
});

describe("an import", () => {
  test("changes the rules that it names by id or name and adds the others, as one version", async () => {
    const byId = await createRule(admin, draftRule({ name: "By id" }));
    await createRule(admin, draftRule({ name: "By name" }));
    await createRule(admin, draftRule({ name: "Kept", priority: 1 }));
    const result = await importing([
      { id: byId.id, name: "New name", tool: "*", verdict: "allow" },
      { name: "By name", tool: "read_file", verdict: "allow" },
      { name: "New", tool: "source:mcp", verdict: "require_approval", priority: 200 },
    ]);
    expect(result).toMatchObject({ applied: true, inserted: 1, updated: 2, removed: 0, skipped: 0, errors: [] });
    expect(await names()).toEqual(["New", "New name", "By name", "Kept"]);
    const [version] = (await listVersions(admin)).items;
    expect(version).toMatchObject({ version: result.policyVersion, summary: "Imported rules: 1 added, 2 changed" });
    const { diff } = await getVersion(admin, result.policyVersion, "previous");
    expect(diff).toEqual(result.diff);
    const [event] = await db()
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.event, "guard_rules.imported"), eq(auditEvents.workspaceId, admin.workspaceId)));
    expect(event?.data).toMatchObject({
      inserted: 1,
      updated: 2,
      mode: "merge",
      changed: expect.arrayContaining([{ kind: "changed", ruleId: byId.id, name: "New name" }]),
    });
  });

  test("that replaces removes every other rule", async () => {
    await createRule(admin, draftRule({ name: "Gone" }));
    await createRule(admin, draftRule({ name: "Kept" }));
    const only = { name: "Only", tool: "*", verdict: "deny", priority: 200, expiresAt: "2099-01-01T00:00:00.000Z" };
    const result = await importing([only, draftRule({ name: "Kept" })], "replace");
    expect(result).toMatchObject({ inserted: 1, removed: 1, skipped: 1, diff: { total: 2 } });
    expect((await listRules(admin)).items).toMatchObject([
      { name: "Only", expiresAt: "2099-01-01T00:00:00.000Z" },
      { name: "Kept", version: 1 },
    ]);
    expect((await listVersions(admin)).items[0]?.summary).toBe("Imported rules: 1 added, 1 removed, 1 as they were");
    await importing([{ ...only, verdict: "allow" }]);
    expect((await listRules(admin)).items[0]).toMatchObject({ name: "Only", verdict: "allow", version: 2 });
    expect((await listVersions(admin)).items[0]?.summary).toBe("Imported rules: 1 changed");
  });

  test("finds a rule by its name only where one rule alone has it", async () => {
    await createRule(admin, draftRule({ name: "Twin" }));
    await createRule(admin, draftRule({ name: "Twin", verdict: "allow" }));
    expect(await importing([{ name: "Twin", tool: "*", verdict: "deny" }], "merge", true)).toMatchObject({ inserted: 1, updated: 0 });
  });

  test("with one bad row changes nothing and names every mistake with its row", async () => {
    await createRule(admin, draftRule({ name: "Before" }));
    const rows: Json[] = [
      { name: "Good", tool: "*", verdict: "deny" },
      { name: "Bad", tool: "*", verdict: "deny", pattern: "^(ls" },
      { tool: "*", verdict: "perhaps" },
      7,
      { name: "Lax", tool: "*", verdict: "allow", relaxes: ["no.such"] },
      { name: "Deep", tool: "*", verdict: "deny", comparisons: [{ parameter: "n", operator: ">", value: "1" }] },
      null,
      [{ name: "In a list" }],
      { name: "x".repeat(200), tool: "*", verdict: "deny" },
    ];
    const looked = await importing(rows, "merge", true);
    expect(looked).toMatchObject({ applied: false, inserted: 1 });
    expect(looked.errors.map(({ row, name, path }) => [row, name, path])).toEqual([
      [1, "Bad", "pattern"],
      [2, "", "name"],
      [2, "", "verdict"],
      [3, "", ""],
      [4, "Lax", "relaxes.0"],
      [5, "Deep", "comparisons.0.value"],
      [6, "", ""],
      [7, "", ""],
      [8, "x".repeat(120), "name"],
    ]);
    await expect(importing(rows)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining('row 2 ("Bad"): pattern: The pattern cannot be used: missing closing ) at character 2'),
      details: {
        errors: expect.arrayContaining([
          expect.objectContaining({ path: "rules.1.pattern" }),
          expect.objectContaining({ path: "rules.3" }),
        ]),
      },
    });
    await expect(importing(rows)).rejects.toMatchObject({ message: expect.stringMatching(/, and 8 more$/) });
    await expect(importing([7])).rejects.toMatchObject({
      message: "Nothing was imported: row 1: Invalid input: expected object, received number",
    });
    expect(await names()).toEqual(["Before"]);
  });

  test("with more mistakes than anybody reads names the first hundred", async () => {
    const rows = Array.from({ length: 101 }, () => 7);
    expect((await importing(rows, "merge", true)).errors).toHaveLength(100);
    const refused = await importing(rows).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "invalid", details: { errors: Array.from({ length: 100 }, () => expect.anything()) } });
  });

  test("tried first says what it would change and changes nothing", async () => {
    const rule = await createRule(admin, draftRule({ name: "Before" }));
    const rows: Json[] = [{ id: rule.id, name: "After", tool: "read_file", verdict: "allow" }];
    const looked = await importing(rows, "merge", true);
    expect(looked.diff.rules).toEqual([
      {
        kind: "changed",
        ruleId: rule.id,
        name: "After",
        source: "workspace",
        fields: [
          { field: "name", before: "Before", after: "After" },
          { field: "verdict", before: "deny", after: "allow" },
        ],
      },
    ]);
    expect(await names()).toEqual(["Before"]);
  });

  test("resolves aliases, refuses the same rule twice, and does not overwrite what somebody else saved meanwhile", async () => {
    await buildRecordedTools(admin.workspaceId);
    await importing([{ name: "Shell", tool: "bash", verdict: "deny" }]);
    expect((await listRules(admin)).items[0]?.tool).toBe("shell_execute");
    const twice = [
      { name: "Shell", tool: "bash", verdict: "allow" },
      { name: "Shell", tool: "bash", verdict: "deny" },
    ];
    await expect(importing(twice)).rejects.toMatchObject({
      code: "invalid",
      details: { errors: [{ path: "rules.1.id", message: "another row is the same rule already" }] },
    });
    const { policyVersion } = await importing([{ name: "B", tool: "*", verdict: "deny" }], "merge", true);
    await createRule(admin, draftRule({ name: "Meanwhile" }));
    const late = importRules(admin, { rules: [{ name: "B", tool: "*", verdict: "deny" }], mode: "replace", dryRun: false }, policyVersion);
    await expect(late).rejects.toMatchObject({
      code: "stale_version",
      message: "Somebody changed the policy meanwhile. Look at the import again and repeat it.",
    });
    await expect(restoreVersion(admin, 1, policyVersion)).rejects.toMatchObject({ code: "stale_version" });
    expect(await names()).toContain("Meanwhile");
  });

  test("of thousands of rules lets others go first", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({
      name: `Rule ${index}`,
      tool: "read_file",
      pattern: `^(a|b${index})[0-9]+`,
      verdict: "deny",
    }));
    let longest = 0;
    const startedAt = performance.now();
    let last = startedAt;
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const planned = await importing(rows, "merge", true);
    clearInterval(watch);
    expect(planned.inserted).toBe(3_000);
    // A share of the whole time, because a slow machine takes longer for everything.
    expect(longest / (performance.now() - startedAt)).toBeLessThan(0.5);
  });
});

test("a version says field by field what it changed, and what going back to it would change", async () => {
  const rule = await createRule(admin, draftRule({ name: "Mine", reason: "Because" }));
  await updateRule(admin, rule.id, draftRule({ name: "Mine", verdict: "allow", pattern: "^a" }), null);
  await removeRule(admin, rule.id, null);
  const kinds = async (version: number, against: "previous" | "current") =>
    (await getVersion(admin, version, against)).diff.rules.map(({ kind, fields }) => [kind, fields.map(({ field }) => field)]);
  expect(await kinds(2, "previous")).toEqual([["added", ["verdict", "tool", "reason", "priority"]]]);
  expect(await kinds(3, "previous")).toEqual([["changed", ["verdict", "pattern", "reason"]]]);
  expect(await kinds(4, "previous")).toEqual([["removed", ["verdict", "tool", "pattern", "priority"]]]);
  expect(await kinds(2, "current")).toEqual([["added", ["verdict", "tool", "reason", "priority"]]]);
  await restoreVersion(admin, 3, 4);
  expect((await getVersion(admin, 5, "previous")).diff).toMatchObject({ total: 1, settings: [] });
  expect((await listRules(admin)).items).toMatchObject([{ id: rule.id, name: "Mine", verdict: "allow" }]);
  expect((await getVersion(admin, 3, "current")).diff.total).toBe(0);
});
