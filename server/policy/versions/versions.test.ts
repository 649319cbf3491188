import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { GuardRule } from "@/contracts/guard/guard";
import { guardVersions } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { buildWorkspace } from "@/server/testing/builders";
import { authorizePolicy, draftRule, type PolicyAdmin } from "@/server/testing/guard/policy-stage";
import { useTestDatabase } from "@/server/testing/test-database";
import { createRule } from "../rules/create-rule";
import { updateConfig } from "../rules/guard-config";
import { importRules } from "../rules/import-rules";
import { listRules } from "../rules/list-rules";
import { removeRule } from "../rules/remove-rule";
import { updateRule } from "../rules/update-rule";
import { getVersion } from "./get-version";
import { listVersions } from "./list-versions";
import { restoreVersion } from "./restore-version";
import { wholeSnapshot } from "./snapshots";

useTestDatabase();

let admin: PolicyAdmin;
beforeEach(async () => {
  const built = await buildWorkspace();
  admin = authorizePolicy(built.admin);
});

test("versions are listed page by page, newest first", async () => {
  await updateConfig(admin, { enabled: false }, null);
  await updateConfig(admin, { enabled: true }, null);
  const first = await listVersions(admin, { limit: 2 });
  expect(first.items.map(({ version }) => version)).toEqual([3, 2]);
  expect(first.items[0]?.actor).toMatchObject({ type: "user", id: admin.id });
  expect(await listVersions(admin, { limit: 2, cursor: first.nextCursor ?? "" })).toMatchObject({
    items: [{ version: 1 }],
    nextCursor: null,
  });
});

test("the first version came from nothing, which changed no setting", async () => {
  expect((await getVersion(admin, 1, "previous")).diff).toEqual({ settings: [], rules: [], reordered: 0, total: 0 });
});

test("a version tells what it changed, and beside that what restoring it would change", async () => {
  await updateConfig(admin, { defaultPolicy: "deny" }, null);
  await createRule(admin, draftRule());
  expect(await getVersion(admin, 2, "previous")).toMatchObject({
    version: 2,
    summary: 'Set the default policy to "deny"',
    rules: 0,
    diff: { settings: [{ field: "defaultPolicy", before: "by_effect", after: "deny" }], rules: [] },
  });
  expect((await getVersion(admin, 2, "current")).diff).toMatchObject({ settings: [], rules: [{ kind: "removed", name: "No reading" }] });
  expect((await getVersion(admin, 3, "current")).diff.total).toBe(0);
});

test("a version tells what changed in the policy file, which restoring leaves as it is", async () => {
  const { id, ...rule } = await createRule(admin, draftRule());
  const ofVersion = and(eq(guardVersions.workspaceId, admin.workspaceId), eq(guardVersions.version, 2));
  const [made] = await db().select().from(guardVersions).where(ofVersion);
  if (!made) throw new Error("creating a rule makes a version");
  const inFile = { ...rule, id: `0000${id.slice(4)}`, name: "Of the file", source: "file" as const };
  await db()
    .update(guardVersions)
    .set({ snapshot: { ...made.snapshot, fileRules: [inFile] } })
    .where(ofVersion);
  expect((await getVersion(admin, 2, "previous")).diff.rules).toMatchObject([
    { kind: "added", name: "No reading", source: "workspace" },
    { kind: "added", name: "Of the file", source: "file" },
  ]);
  expect((await getVersion(admin, 1, "current")).diff.rules).toMatchObject([{ kind: "removed", name: "No reading" }]);
});

test("a version that there is none of is not found, and says so", async () => {
  const notFound = { code: "not_found", message: "There is no version 99 of the policy. Choose one of the list." };
  await expect(getVersion(admin, 99, "previous")).rejects.toMatchObject(notFound);
  await expect(restoreVersion(admin, 99)).rejects.toMatchObject(notFound);
});

test("going back is refused where somebody changed the policy meanwhile", async () => {
  await updateConfig(admin, { enabled: false }, null);
  await expect(restoreVersion(admin, 1, 1)).rejects.toMatchObject({
    code: "stale_version",
    message: "Somebody changed the policy meanwhile. Look at the versions again and repeat it.",
  });
});

/** Returns a version's stored snapshot and the whole snapshot that is read from it. */
async function keptAndWhole(version: number) {
  const [row] = await db()
    .select()
    .from(guardVersions)
    .where(and(eq(guardVersions.workspaceId, admin.workspaceId), eq(guardVersions.version, version)));
  if (!row) throw new Error(`there is no version ${version}`);
  return { row, whole: await wholeSnapshot(db(), row) };
}

test("a version of a large policy keeps only the rules that differ, and is read, listed and restored as a whole", async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ name: `Rule ${index}`, tool: "read_file", verdict: "deny", priority: index }));
  const imported = await importRules(admin, { rules: many, mode: "merge", dryRun: false }, null);
  const { items } = await listRules(admin, { limit: 1_000 });
  const [first, second] = items;
  if (!first || !second) throw new Error("nothing was imported");

  const was: Record<number, GuardRule[]> = {};
  const note = async () => {
    const [newest] = (await listVersions(admin, { limit: 1 })).items;
    const { items } = await listRules(admin, { limit: 1_000 });
    was[newest?.version ?? 0] = items.map(({ neverReachedBecauseOf: _because, hits30Days: _hits, ...rule }) => rule);
  };
  await note();
  await updateRule(admin, first.id, draftRule({ name: "Changed", tool: "read_file", verdict: "allow", priority: 7 }), null);
  await note();
  await removeRule(admin, second.id, null);
  await note();
  await createRule(admin, draftRule({ name: "Added", tool: "*", verdict: "deny", priority: 1_000 }));
  await note();
  await updateConfig(admin, { defaultPolicy: "deny" }, null);
  await note();

  for (const [version, rules] of Object.entries(was)) {
    const { row, whole } = await keptAndWhole(Number(version));
    expect(whole.rules).toEqual(rules);
    const isBase = row.version === imported.policyVersion;
    expect(row.baseVersion).toBe(isBase ? null : imported.policyVersion);
    expect(row.snapshot.rules.length).toBeLessThanOrEqual(isBase ? 300 : 2);
    expect((await getVersion(admin, row.version, "previous")).rules).toBe(rules.length);
  }
  expect((await listVersions(admin)).items.slice(0, 5).map(({ rules }) => rules)).toEqual([300, 300, 299, 300, 300]);
  expect((await getVersion(admin, imported.policyVersion + 2, "previous")).diff).toMatchObject({
    total: 1,
    rules: [{ kind: "removed", name: second.name }],
  });

  await restoreVersion(admin, imported.policyVersion + 1);
  const names = (await listRules(admin, { limit: 1_000 })).items.map(({ name }) => name);
  expect(names).toEqual(was[imported.policyVersion + 1]?.map(({ name }) => name));
});

test("a version that changes much of a large policy is whole again, and later ones differ from it", async () => {
  const rows = (verdict: string) => Array.from({ length: 300 }, (_, index) => ({ name: `Rule ${index}`, tool: "read_file", verdict }));
  await importRules(admin, { rules: rows("deny"), mode: "merge", dryRun: false }, null);
  const { policyVersion } = await importRules(admin, { rules: rows("allow"), mode: "merge", dryRun: false }, null);
  expect((await keptAndWhole(policyVersion)).row.baseVersion).toBeNull();
  await updateConfig(admin, { defaultPolicy: "deny" }, null);
  const { row, whole } = await keptAndWhole(policyVersion + 1);
  expect(row).toMatchObject({ baseVersion: policyVersion, snapshot: { rules: [], removed: [] } });
  expect(whole.rules).toHaveLength(300);
});
