import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { sha256 } from "@/server/platform/crypto";
import { connectFiles, connectScript } from "./connect-script";

let home = "";

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "handrail-connect-"));
  for (const [name, text] of Object.entries(connectFiles)) writeFileSync(path.join(home, name), text);
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const run = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(home, "connect.cjs"), ...args], { env: { ...process.env, HOME: home }, encoding: "utf8" });
const settings = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json", gemini: ".gemini/settings.json" } as const;
const others = { ".copilot/hooks/handrail.json": "copilot", ".cursor/hooks.json": "cursor" } as const;
const read = (file: string) => readFileSync(path.join(home, file), "utf8");
const put = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
  writeFileSync(path.join(home, file), text);
};

describe.each([...Object.entries(settings), ...Object.entries(others).map(([file, client]) => [client, file] as const)])(
  "%s",
  (client, file) => {
    const kept = { theme: "dark", hooks: { Other: [{ hooks: [{ type: "command", command: "echo mine" }] }] } };

    test("gets its hooks beside what others wrote, the same ones the second time, and loses them again", () => {
      put(file, JSON.stringify(kept));
      expect(run(client).status).toBe(0);
      const first = read(file);
      const written = JSON.parse(first);
      expect(written).toMatchObject({ theme: "dark", hooks: { Other: kept.hooks.Other } });
      expect(JSON.stringify(written.hooks)).toContain("handrail-hook.cjs");
      expect(JSON.stringify(written.hooks)).toContain("exit 2");
      expect(run(client).stdout).toContain("is as it should be");
      expect(read(file)).toBe(first);
      expect(run(client, "--undo").status).toBe(0);
      const { version: _, ...left } = JSON.parse(read(file));
      expect(left).toEqual(kept);
      expect(read(`${file}.before-handrail`)).toBe(JSON.stringify(kept));
    });

    test("a file that is no JSON is left as it is", () => {
      put(file, "{ broken");
      const { status, stderr } = run(client);
      expect(status).toBe(1);
      expect(stderr).toContain("nothing was changed");
      expect(read(file)).toBe("{ broken");
    });
  },
);

test("settings behind a link are changed there, and keep their rights", () => {
  put("dotfiles/claude.json", "{}");
  chmodSync(path.join(home, "dotfiles/claude.json"), 0o644);
  mkdirSync(path.join(home, ".claude"));
  symlinkSync("../dotfiles/claude.json", path.join(home, ".claude/settings.json"));
  expect(run("claude-code").status).toBe(0);
  expect(lstatSync(path.join(home, ".claude/settings.json")).isSymbolicLink()).toBe(true);
  expect(read("dotfiles/claude.json")).toContain("handrail-hook.cjs");
  expect(statSync(path.join(home, "dotfiles/claude.json")).mode & 0o777).toBe(0o644);
});

test("the hook before a call may take an hour, in each client's own unit", () => {
  for (const client of Object.keys(settings)) run(client);
  const first = (file: string, event: string) => JSON.parse(read(file)).hooks[event][0].hooks[0];
  expect(first(".claude/settings.json", "PreToolUse")).toMatchObject({ timeout: 3_600, onFailure: "block" });
  expect(first(".codex/hooks.json", "PreToolUse")).toMatchObject({ timeout: 3_600 });
  expect(first(".gemini/settings.json", "BeforeTool")).toMatchObject({ timeout: 3_600_000 });
});

describe.each(["codex", "gemini"] as const)("%s", (client) => {
  test.each([
    ["SIGINT", "bash"],
    ["SIGTERM", "bash"],
    ["SIGHUP", "bash"],
    ["SIGINT", "sh"],
  ])("%s to its %s and the hook program blocks the call with a sentence", async (signal, shell) => {
    run(client);
    const [before] = Object.values<[{ hooks: [{ command: string }] }]>(JSON.parse(read(settings[client])).hooks);
    // Stands for Node that is killed before the program listens to signals.
    put("bin/node", `#!/bin/sh\nkill -${signal.slice(3)} 0\n`);
    chmodSync(path.join(home, "bin/node"), 0o755);
    // A group of its own, as a terminal makes one.
    const env = { PATH: `${home}/bin:${process.env.PATH}`, NODE_ENV: "test" as const };
    const hook = spawn(shell, ["-c", before?.[0].hooks[0].command ?? ""], { env, detached: true });
    const [said, [code]] = await Promise.all([text(hook.stderr), once(hook, "close")]);
    expect(code).toBe(2);
    expect(said).toContain("Handrail did not allow the call.");
  });
});

test("a person is told what is left to do", () => {
  expect(run("codex").stdout).toContain("ACTION REQUIRED");
  expect(run("unheard").stderr).toContain("Name a client");
});

test("opencode gets a plugin that names the hook program, and loses it again", () => {
  const file = path.join(home, ".config/opencode/plugins/handrail.js");
  expect(run("opencode").status).toBe(0);
  expect(readFileSync(file, "utf8")).toContain(JSON.stringify(path.join(home, "handrail-hook.cjs")));
  expect(run("opencode", "--undo").status).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test("the script names the digest of each file that it fetches, and quotes the address", () => {
  const script = connectScript("https://hand'rail.example");
  for (const name of ["handrail-hook.cjs", "connect.cjs", "handrail-opencode.js"])
    expect(script).toContain(`get ${name} ${sha256(connectFiles[name] ?? "")}`);
  expect(script).toContain(`url='https://hand'\\''rail.example'`);
  expect(spawnSync("sh", ["-n"], { input: script, encoding: "utf8" }).stderr).toBe("");
});
