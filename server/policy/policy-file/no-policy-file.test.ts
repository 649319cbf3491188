import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { guardConfig } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { followPolicyFile } from "../rules/follow-policy-file";
import { listVersions } from "../versions/list-versions";
import { policyFileStatus } from "./policy-file-status";

useTestDatabase();

test("where no policy file is set, that is its status", async () => {
  const { admin } = await buildWorkspace();
  expect(policyFileStatus(authorize(admin, "guard:read"))).toEqual({ file: null });
});

test("a policy file that was taken away is a version of each policy that it was part of, once", async () => {
  const had = await buildWorkspace();
  const never = await buildWorkspace();
  const versions = async ({ admin }: typeof had) =>
    (await listVersions(authorize(admin, "guard:read"))).items.map(({ version, summary, actor }) => [version, summary, actor.type]);
  await db().update(guardConfig).set({ policyFileDigest: "of the file" }).where(eq(guardConfig.workspaceId, had.workspace.id));
  for (let start = 0; start < 2; start += 1) await (await followPolicyFile())();
  expect((await versions(had)).slice(0, -1)).toEqual([[2, "The policy file was taken away", "system"]]);
  expect(await versions(never)).toHaveLength(1);
});
