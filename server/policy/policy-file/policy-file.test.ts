import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { tools, workspaces } from "@/db/schema";
import { decide } from "@/server/guard/decide";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { buildRequest, readTool } from "@/server/testing/guard/guarded-calls";
import { draftRule, recordCalls } from "@/server/testing/guard/policy-stage";
import { buildRecordedTools } from "@/server/testing/recorded-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { loadPolicy } from "../policy";
import { createRule } from "../rules/create-rule";
import { followPolicyFile } from "../rules/follow-policy-file";
import { getRule } from "../rules/get-rule";
import { listRules } from "../rules/list-rules";
import { orderRules } from "../rules/order-rules";
import { removeRule } from "../rules/remove-rule";
import { simulate } from "../simulation/simulate";
import { listVersions } from "../versions/list-versions";
import { policyFile } from "./policy-file";
import { policyFileStatus } from "./policy-file-status";

const folder = mkdtempSync(path.join(os.tmpdir(), "handrail-policy-"));
const file = path.join(folder, "policy.yaml");
process.env.HANDRAIL_POLICY_FILE = file;
afterAll(() => {
  delete process.env.HANDRAIL_POLICY_FILE;
  rmSync(folder, { recursive: true, force: true });
});

useTestDatabase();

const fileWith = (verdict: string) => `rules:\n  - { name: From the file, tool: read_file, verdict: ${verdict}, priority: 50 }\n`;
writeFileSync(file, fileWith("deny"));

/** Replaces the policy file atomically, as editors do. */
function replaceFile(text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

let built: Awaited<ReturnType<typeof buildWorkspace>>;
beforeEach(async () => {
  built = await buildWorkspace();
});

const decision = async () => decide(await loadPolicy(built.workspace.id), buildRequest(readTool, { path: "a" }));
const reader = () => authorize(built.admin, "guard:read");
const writer = () => authorize(built.admin, "guard:write");

test("its rules hold beside those of the workspace, are versions of the policy, and follow the file", async () => {
  const stop = await followPolicyFile();
  try {
    expect(await decision()).toMatchObject({ verdict: "deny", policyFile: policyFile()?.file.digest.slice(0, 12) });
    expect((await listVersions(reader())).items[0]).toMatchObject({ summary: "A policy file came: 1 rule", actor: { type: "system" } });

    replaceFile(fileWith("require_approval"));
    await vi.waitFor(async () => expect((await decision()).verdict).toBe("require_approval"), { interval: 5 });
    await vi.waitFor(async () => {
      expect((await listVersions(reader())).items[0]?.summary).toBe("The policy file changed: 1 rule");
    });

    replaceFile("rules:\n  - { name: [");
    await vi.waitFor(() => expect(policyFile()?.mistake).toMatchObject({ line: 2, message: expect.stringContaining("not valid YAML") }));
    expect((await decision()).verdict).toBe("require_approval");
    replaceFile("# lower down\nrules:\n  - { name: [");
    await vi.waitFor(() => expect(policyFile()?.mistake).toMatchObject({ line: 3 }));
    expect(policyFileStatus(reader()).file).toMatchObject({
      rules: 1,
      mistake: { line: 3, message: expect.stringContaining("not valid YAML"), at: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    rmSync(file);
    await vi.waitFor(() => expect(policyFile()?.mistake?.message).toContain("cannot be read"));
    expect((await decision()).verdict).toBe("require_approval");

    replaceFile(fileWith("deny"));
    await vi.waitFor(async () => expect((await decision()).verdict).toBe("deny"));
    expect(policyFile()?.mistake).toBeNull();
  } finally {
    await stop();
  }
});

test("its rules stand in the list where they are tried, and cannot be changed there", async () => {
  const above = await createRule(writer(), draftRule({ tool: "no_such_tool", name: "Above", priority: 60 }));
  const below = await createRule(writer(), draftRule({ tool: "no_such_tool", name: "Below", priority: 50 }));
  const names = async () => (await listRules(reader(), { limit: 200 })).items.map(({ name, source }) => [name, source]);
  expect(await names()).toEqual([
    ["Above", "workspace"],
    ["From the file", "file"],
    ["Below", "workspace"],
  ]);
  const first = await listRules(reader(), { limit: 2 });
  expect(first).toMatchObject({ total: 3, items: [{ name: "Above" }, { name: "From the file" }] });
  expect(await listRules(reader(), { limit: 2, cursor: first.nextCursor ?? "" })).toMatchObject({
    items: [{ name: "Below" }],
    nextCursor: null,
  });

  const inFile = first.items[1];
  if (!inFile) throw new Error("there are three rules");
  expect(await getRule(reader(), inFile.id)).toMatchObject(inFile);
  await expect(removeRule(writer(), inFile.id, null)).rejects.toMatchObject({ code: "conflict" });
  await orderRules(writer(), [inFile.id, below.id, above.id], [above.id, inFile.id, below.id]);
  expect((await names()).map(([name]) => name)).toEqual(["From the file", "Below", "Above"]);
  await expect(orderRules(writer(), [above.id, below.id], [above.id, below.id])).rejects.toMatchObject({ code: "stale_version" });
  await db().delete(workspaces).where(eq(workspaces.id, built.workspace.id));
});

test("its rules hold for recorded calls that a change is tried on, under the names that tools have now", async () => {
  const workspaceId = built.workspace.id;
  await buildRecordedTools(workspaceId);
  await db()
    .update(tools)
    .set({ name: "read_text", aliases: ["read_file"] })
    .where(and(eq(tools.workspaceId, workspaceId), eq(tools.name, "read_file")));
  await recordCalls(built.agentKey, [{ name: "read_text", arguments: { path: "a" }, verdict: "allow" }]);
  const rules = [{ name: "All", tool: "*", verdict: "allow", priority: 60 }];
  expect(await simulate(reader(), { over: { days: 1 }, config: { defaultPolicy: "deny" } })).toMatchObject({ examined: 1, flips: [] });
  expect(await simulate(reader(), { over: { days: 1 }, rules })).toMatchObject({ flips: [{ before: "deny", after: "allow", calls: 1 }] });
});
