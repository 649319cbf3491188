import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardConfig, workspaces } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { loadPolicy } from "../policy";
import { policyFile } from "../policy-file/policy-file";
import { listVersions } from "../versions/list-versions";
import { followPolicyFile } from "./follow-policy-file";

// The configured path is a symlink, because a change of its target reaches no watcher of the link's folder: only polling finds it.
const folder = mkdtempSync(path.join(os.tmpdir(), "handrail-policy-"));
const file = path.join(folder, "elsewhere", "policy.yaml");
mkdirSync(path.dirname(file));
symlinkSync(file, path.join(folder, "policy.yaml"));
process.env.HANDRAIL_POLICY_FILE = path.join(folder, "policy.yaml");
afterAll(() => {
  delete process.env.HANDRAIL_POLICY_FILE;
  rmSync(folder, { recursive: true, force: true });
});

useTestDatabase();

const fileWith = (...tools: string[]) =>
  `rules: [${tools.map((tool) => `{ name: Not ${tool}, tool: ${tool}, verdict: deny }`).join(", ")}]\n`;
const said = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };

let built: BuiltWorkspace;
beforeEach(async () => {
  await db().delete(workspaces);
  built = await buildWorkspace();
  writeFileSync(file, fileWith("a"));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  for (const [level, heard] of Object.entries(said)) {
    vi.spyOn(log(), level as keyof typeof said).mockImplementation(heard);
    heard.mockClear();
  }
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const rules = () => policyFile()?.file.rules.map(({ tool }) => tool);
const summaries = async () => (await listVersions(authorize(built.admin, "guard:read"))).items.map(({ summary }) => summary);

function look(text: string | null): void {
  if (text === null) rmSync(file);
  else writeFileSync(file, text);
  vi.advanceTimersByTime(2_000);
}

test("a change that the system does not tell of is found after two seconds, until nobody follows any more", async () => {
  const stop = await followPolicyFile();
  writeFileSync(file, fileWith("a", "b"));
  vi.advanceTimersByTime(1_999);
  expect(rules()).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(rules()).toEqual(["a", "b"]);
  const digest = policyFile()?.file.digest.slice(0, 12);
  expect(said.info.mock.calls).toEqual([[{ rules: 2, digest }, "the policy file changed"]]);
  await vi.waitFor(async () => expect((await summaries())[0]).toBe("The policy file changed: 2 rules"));
  await stop();
  look(fileWith("c"));
  expect(rules()).toEqual(["a", "b"]);
});

test("rules of a changed file hold before its version is recorded", async () => {
  const stop = await followPolicyFile();
  const tools = async () => (await loadPolicy(built.workspace.id)).rules.map(({ tool }) => tool).sort();
  expect(await tools()).toEqual(rules());
  await db().transaction(async (tx) => {
    await tx.select().from(guardConfig).for("update");
    look(fileWith("d", "e", "f"));
    expect(await tools()).toEqual(["d", "e", "f"]);
  });
  await vi.waitFor(async () => expect((await summaries())[0]).toBe("The policy file changed: 3 rules"));
  await stop();
});

test("a mistake is told once, a comment changes nothing, and the end of the mistake is told too", async () => {
  const stop = await followPolicyFile();
  try {
    look(fileWith("a", "b"));
    said.info.mockClear();
    const state = policyFile();
    const { readAt } = state ?? {};
    look(`# The same rules\n${fileWith("a", "b")}`);
    look(`# The same rules again\n${fileWith("a", "b")}`);
    expect(said.info).not.toHaveBeenCalled();
    look("rules: 5\n");
    const { at } = state?.mistake ?? {};
    look("rules: 50\n");
    expect(said.error.mock.calls).toEqual([
      ["The policy file cannot be used, so its last good rules go on: policy.yaml, line 1, column 8: rules: must be a list of rules"],
    ]);
    expect(state).toMatchObject({ readAt, mistake: { line: 1 } });
    expect(state?.mistake?.at).toBe(at);
    look(null);
    expect(said.error).toHaveBeenCalledTimes(2);
    look(fileWith("a", "b"));
    expect(said.info.mock.calls).toEqual([["the policy file can be used again"]]);
    expect(rules()).toEqual(["a", "b"]);
  } finally {
    await stop();
  }
});

test("a version that cannot be recorded is recorded when it can be, as long as somebody follows the file", async () => {
  const stop = await followPolicyFile();
  const [config] = await db().select().from(guardConfig).where(eq(guardConfig.workspaceId, built.workspace.id));
  if (!config) throw new Error("a workspace has a policy");
  const setTimeout = vi.spyOn(globalThis, "setTimeout");
  const retries = () =>
    setTimeout.mock.calls.flatMap(([retry, ms], at) => (ms === 5_000 ? [{ retry, timer: setTimeout.mock.results[at]?.value }] : []));
  await db().delete(guardConfig);
  look(fileWith("d"));
  expect(rules()).toEqual(["d"]);
  await vi.waitFor(() => expect(retries()).toHaveLength(1));
  const why = expect.objectContaining({ message: "this workspace has no policy" });
  expect(said.warn.mock.calls).toEqual([
    [{ err: why }, "the policy file's version could not be recorded yet: this workspace has no policy"],
  ]);
  for (const { retry } of retries()) retry();
  await vi.waitFor(() => expect(retries()).toHaveLength(2));
  await db().insert(guardConfig).values(config);
  for (const { retry } of retries().slice(1)) retry();
  await vi.waitFor(async () => expect((await summaries())[0]).toBe("The policy file changed: 1 rule"));
  const cleared = vi.spyOn(globalThis, "clearTimeout");
  await stop();
  expect(cleared).toHaveBeenCalledWith(retries()[1]?.timer);

  const stopAtOnce = await followPolicyFile();
  await db().delete(guardConfig);
  said.warn.mockClear();
  look(fileWith("e"));
  await stopAtOnce();
  await vi.waitFor(() => expect(said.warn).toHaveBeenCalled());
  expect(retries()).toHaveLength(2);
});
