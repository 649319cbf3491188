import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard";
import { guardVersions } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { buildWorkspace, holding } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { createRule } from "../rules/create-rule";
import { updateConfig } from "../rules/guard-config";
import { getVersion } from "./get-version";
import { listVersions } from "./list-versions";
import { restoreVersion } from "./restore-version";

useTestDatabase();

let admin: Holder<"guard:write"> & Holder<"guard:read">;
beforeEach(async () => {
  const built = await buildWorkspace();
  admin = holding(holding(built.admin, "guard:read"), "guard:write") as typeof admin;
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
  await createRule(admin, GuardRuleDraft.parse({ name: "No reading", tool: "read_file", verdict: "deny" }));
  expect(await getVersion(admin, 2, "previous")).toMatchObject({
    version: 2,
    summary: "Set the default policy to deny",
    rules: 0,
    diff: { settings: [{ field: "defaultPolicy", before: "by_effect", after: "deny" }], rules: [] },
  });
  expect((await getVersion(admin, 2, "current")).diff).toMatchObject({ settings: [], rules: [{ kind: "removed", name: "No reading" }] });
  expect((await getVersion(admin, 3, "current")).diff.total).toBe(0);
});

test("a version tells what changed in the policy file, which restoring leaves as it is", async () => {
  const { id, ...rule } = await createRule(admin, GuardRuleDraft.parse({ name: "No reading", tool: "read_file", verdict: "deny" }));
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
