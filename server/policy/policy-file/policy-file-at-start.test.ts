import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { followPolicyFile } from "../rules/follow-policy-file";
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

test("a policy file that cannot be used stops the start, and says why and where", async () => {
  expect(() => policyFile()).toThrow(/^HANDRAIL_POLICY_FILE cannot be used: policy\.yaml: it cannot be read \(ENOENT/);
  writeFileSync(file, "rules:\n  - name: a\n    tool: x\n    verdict: maybe\n");
  expect(() => policyFile()).toThrow('HANDRAIL_POLICY_FILE cannot be used: policy.yaml, line 4, column 14: the rule "a", verdict: ');
  await expect(followPolicyFile()).rejects.toThrow("HANDRAIL_POLICY_FILE cannot be used");
  const asLongAsAllowed = `rules: [] #${"x".repeat(4 * 1_048_576 - 11)}`;
  writeFileSync(file, `${asLongAsAllowed}x`);
  expect(() => policyFile()).toThrow("policy.yaml: it has more than 4,194,304 bytes");
  writeFileSync(file, asLongAsAllowed);
  expect(policyFile()?.file.rules).toEqual([]);
});

test("its status says what people may know, and not where it lies", async () => {
  const { admin } = await buildWorkspace();
  const state = policyFile();
  if (!state) throw new Error("there is a file");
  expect(policyFileStatus(authorize(admin, "guard:read"))).toEqual({
    file: { name: "policy.yaml", digest: state.file.digest.slice(0, 12), rules: 0, readAt: state.readAt.toISOString(), mistake: null },
  });
  const stop = await followPolicyFile();
  await stop();
  expect((await listVersions(authorize(admin, "guard:read"))).items[0]).toMatchObject({
    version: 2,
    summary: "A policy file came: 0 rules",
  });
});
