import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { buildRunner, runBoxed } from "@/server/testing/processes/run-boxed";
import { temporaryFolder } from "@/server/testing/tool-context";
import { probeSandbox, wayOut } from "./probe-sandbox";

test("a machine with bubblewrap has a sandbox, and the sentence says what holds commands", () => {
  expect(probeSandbox("linux")).toEqual({ works: true, sentence: expect.stringMatching(/^Commands run in a bubblewrap sandbox /) });
});

test("other systems are told what to do", () => {
  expect(probeSandbox("darwin")).toEqual({ works: false, sentence: expect.stringContaining("Run Handrail in a Linux container") });
});

describe("the way out", () => {
  const settings = (given: Record<string, string>) => (name: string) => given[name] ?? null;

  test.each([
    [
      "bwrap: No permissions to create new namespace",
      { "kernel/unprivileged_userns_clone": "0" },
      false,
      "kernel.unprivileged_userns_clone=1",
    ],
    ["bwrap: Creating new namespace failed: No space left", { "user/max_user_namespaces": "0" }, false, "user.max_user_namespaces=10000"],
    [
      "bwrap: setting up uid map: Permission denied",
      { "kernel/apparmor_restrict_unprivileged_userns": "1" },
      false,
      "apparmor_restrict_unprivileged_userns=0",
    ],
    [
      "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
      { "kernel/apparmor_restrict_unprivileged_userns": "1" },
      false,
      "AppArmor",
    ],
    ["bwrap: No permissions to create new namespace", {}, true, "--security-opt seccomp=unconfined"],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", {}, true, "systempaths=unconfined"],
    ["bwrap: No permissions to create new namespace", {}, false, "docs/operating/sandbox.md"],
    ["bwrap: Can't find source path /usr", {}, false, "Can't find source path /usr"],
  ])("from %j with %j, in a container: %j, names %s", (complaint, given, isContainer, named) => {
    const sentence = wayOut(complaint, settings(given), isContainer);
    expect(sentence).toContain(named);
    expect(sentence).toMatch(/^Commands are not confined because .*\.$/);
  });
});

describe("where user namespaces are refused", () => {
  const refused = spawnSync("unshare", ["-Ur", "true"]).status === 0;

  test("commands go on unconfined under auto, and do not run under required", async () => {
    expect(refused, "this test needs a machine that allows user namespaces").toBe(true);
    const folder = temporaryFolder();
    const root = path.join(folder, "workspaces/c");
    mkdirSync(root, { recursive: true });
    const runner = await buildRunner(folder);
    const task = { root, sockets: [], kinds: {}, openings: {}, commands: { hello: "echo hello" } };
    // Our namespace forbids further namespaces, as a container's seccomp filter does.
    writeFileSync(
      path.join(folder, "node"),
      `#!/bin/sh\nexec unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"' sh "${process.execPath}" "$@"\n`,
      { mode: 0o755 },
    );
    const run = (setting: string) =>
      runBoxed(runner, task, {
        user: null,
        program: path.join(folder, "node"),
        environment: { HANDRAIL_DATA_DIR: folder, HANDRAIL_SANDBOX: setting },
      });
    const auto = await run("auto");
    expect(auto.status).toMatchObject({ isOn: false, kind: null, sentence: expect.stringContaining("Commands are not confined because") });
    expect(auto.results.hello?.stdout).toBe("hello\n");
    const required = await run("required");
    expect(required.status).toMatchObject({ setting: "required", isOn: false });
    expect(required.results.hello).toMatchObject({ stdout: "", stderr: expect.stringContaining("HANDRAIL_SANDBOX is required") });
  });
});
