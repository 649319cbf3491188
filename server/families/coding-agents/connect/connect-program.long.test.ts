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
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
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

test("connecting again leaves the hook of somebody else that stands beside ours in one entry", () => {
  run("claude-code");
  const file = settings["claude-code"];
  const written = JSON.parse(read(file));
  const mine = { type: "command", command: "echo mine" };
  written.hooks.PreToolUse[0].hooks.push(mine);
  put(file, JSON.stringify(written));
  expect(run("claude-code").status).toBe(0);
  const again = JSON.parse(read(file)).hooks.PreToolUse;
  expect(again.map((entry: { hooks: object[] }) => entry.hooks.length)).toEqual([1, 1]);
  expect(again[0]).toEqual({ matcher: "*", hooks: [mine] });
  run("claude-code", "--undo");
  expect(JSON.parse(read(file)).hooks).toEqual({ PreToolUse: [{ matcher: "*", hooks: [mine] }] });
});

describe("nothing is changed, and a sentence says why,", () => {
  const expectRefused = (args: string[], said: string) => {
    const { status, stderr } = run(...args);
    expect(stderr).toContain(said);
    expect(stderr).toContain("othing was changed");
    expect(status).toBe(1);
  };

  test.each([
    [["--mode", "banana"], "--mode takes one of these: headless, desk, defer"],
    [["--mode"], "--mode takes one of these"],
    [["--box", "paper"], "--box takes one of these: none, agent, container"],
    [["--projekt"], "--projekt is no option"],
  ])("for %j", (args, said) => {
    expectRefused(["claude-code", ...args], said);
    expect(existsSync(path.join(home, ".claude"))).toBe(false);
  });

  test.each([
    ["claude-code", { hooks: "none" }, "The hooks in"],
    ["claude-code", { hooks: [] }, "The hooks in"],
    ["cursor", { hooks: { preToolUse: { command: "x" } } }, "The hooks in"],
    ["claude-code", { disableAllHooks: true }, '"disableAllHooks": true'],
    ["gemini", { hooksConfig: { enabled: false } }, '"hooksConfig"'],
  ] as const)("for settings of %s with %j", (client, kept, said) => {
    const file = { ...settings, cursor: ".cursor/hooks.json" }[client];
    put(file, JSON.stringify(kept));
    expectRefused([client], said);
    expect(read(file)).toBe(JSON.stringify(kept));
  });

  test("where the settings of the home switch off the hooks of a project", () => {
    put(settings["claude-code"], JSON.stringify({ disableAllHooks: true }));
    mkdirSync(path.join(home, "shop"));
    const args = [path.join(home, "connect.cjs"), "claude-code", "--project"];
    const { status } = spawnSync(process.execPath, args, { env: { ...process.env, HOME: home }, cwd: path.join(home, "shop") });
    expect([status, existsSync(path.join(home, "shop/.claude"))]).toEqual([1, false]);
  });
});

describe("a key", () => {
  /** A server that answers every request in one way, and what it was asked. */
  async function answering(status: number) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(status).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => void (await new Promise((resolve) => server.close(resolve))));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  async function connect(args: string[], env: Record<string, string>) {
    const program = spawn(process.execPath, [path.join(home, "connect.cjs"), ...args], { env: { ...process.env, HOME: home, ...env } });
    const [stdout, stderr, [status]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "close")]);
    return { stdout, stderr, status };
  }

  test("that Handrail does not take changes nothing and is not kept", async () => {
    put("hook.json", '{"url":"https://old.example","key":"hr_old"}');
    const { url } = await answering(401);
    const { status, stderr } = await connect(["claude-code"], { HANDRAIL_URL: url, HANDRAIL_KEY: "hr_bad" });
    expect(stderr).toContain("Handrail did not take the key (401). Nothing was changed");
    expect(status).toBe(1);
    expect(read("hook.json")).toContain("hr_old");
    expect(existsSync(path.join(home, ".claude"))).toBe(false);
  });

  test("is not kept beside settings that are broken", async () => {
    put(settings["claude-code"], "{ broken");
    const { url, asked } = await answering(200);
    expect((await connect(["claude-code"], { HANDRAIL_URL: url, HANDRAIL_KEY: "hr_new" })).status).toBe(1);
    expect([existsSync(path.join(home, "hook.json")), asked]).toEqual([false, []]);
  });

  test("that works is kept for its owner alone, and is told the connection and its end", async () => {
    const { url, asked } = await answering(200);
    expect((await connect(["claude-code"], { HANDRAIL_URL: url, HANDRAIL_KEY: "hr_new" })).status).toBe(0);
    expect(JSON.parse(read("hook.json"))).toEqual({ url, key: "hr_new" });
    expect(statSync(path.join(home, "hook.json")).mode & 0o777).toBe(0o600);
    expect((await connect(["claude-code", "--undo"], {})).status).toBe(0);
    const query = new URLSearchParams({ client: "claude-code", host: hostname() });
    expect(asked).toEqual(["POST /api/v1/coding-connections Bearer hr_new", `DELETE /api/v1/coding-connections?${query} Bearer hr_new`]);
  });

  test("that is kept goes to its own address alone", async () => {
    const [own, other] = [await answering(200), await answering(200)];
    put("hook.json", JSON.stringify({ url: own.url, key: "hr_kept" }));
    expect((await connect(["claude-code"], { HANDRAIL_URL: other.url })).status).toBe(0);
    expect([own.asked.length, other.asked.length]).toEqual([1, 0]);
  });
});

describe("the script", () => {
  /** Handrail as the script meets it: it serves the files, and takes the key or not. */
  async function handrail(status: number) {
    const server = createServer((request, response) => {
      const file = connectFiles[String(request.url).replace("/connect/", "")];
      response.writeHead(file === undefined ? status : 200).end(file ?? "{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => void (await new Promise((resolve) => server.close(resolve))));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function runScript(url: string, key: string) {
    const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, HANDRAIL_KEY: key, XDG_CONFIG_HOME: path.join(home, ".config") };
    const script = spawn("sh", ["-s", "claude-code"], { env });
    script.stdin.end(connectScript(url));
    const [stderr, [status]] = await Promise.all([text(script.stderr), once(script, "close")]);
    return { stderr, status };
  }

  test("keeps the new key once the settings are sound and the key is taken", async () => {
    const key = () =>
      existsSync(path.join(home, ".config/handrail/hook.json")) ? JSON.parse(read(".config/handrail/hook.json")).key : null;
    put(settings["claude-code"], "{ broken");
    expect((await runScript(await handrail(200), "hr_1")).status).toBe(1);
    expect(key()).toBeNull();
    put(settings["claude-code"], "{}");
    expect((await runScript(await handrail(401), "hr_2")).status).toBe(1);
    expect(key()).toBeNull();
    expect((await runScript(await handrail(200), "hr_3")).status).toBe(0);
    expect(key()).toBe("hr_3");
    expect(read(settings["claude-code"])).toContain("handrail-hook.cjs");
  });
});

test("the settings of a project name no person's home, and run each person's own hook program", () => {
  const folder = path.join(home, ".config/handrail");
  for (const [name, text] of Object.entries(connectFiles)) put(`.config/handrail/${name}`, text);
  const shop = path.join(home, "shop");
  mkdirSync(shop);
  const { XDG_CONFIG_HOME: _, ...env }: NodeJS.ProcessEnv = { ...process.env, HOME: home };
  for (const client of ["claude-code", "codex", "gemini", "copilot", "cursor", "opencode"]) {
    const args = [path.join(folder, "connect.cjs"), client, "--project"];
    expect(spawnSync(process.execPath, args, { env, cwd: shop, encoding: "utf8" }).stderr).toBe("");
  }
  const files = [
    ".claude/settings.json",
    ".codex/hooks.json",
    ".gemini/settings.json",
    ".github/hooks/handrail.json",
    ".cursor/hooks.json",
  ];
  for (const file of [...files, ".opencode/plugins/handrail.js"]) expect(read(`shop/${file}`), file).not.toContain(home);
  const command: string = JSON.parse(read("shop/.claude/settings.json")).hooks.PreToolUse[0].hooks[0].command;
  const hook = spawnSync("sh", ["-c", command], { env, input: "{}", encoding: "utf8" });
  expect(hook.stderr).toContain("HANDRAIL_URL and HANDRAIL_KEY are not set");
  expect(hook.status).toBe(2);
});

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
