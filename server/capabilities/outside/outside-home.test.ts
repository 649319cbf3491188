import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { env } from "@/server/platform/env";
import { noOpenings } from "../sandbox/openings";
import { sandboxStatus } from "../sandbox/sandbox-status";
import { workspaceShell } from "../shell/workspace-shell";
import { describeOutside } from "./outside-home";

let root = "";
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "outside-"));
  rmSync(env().sandbox.outsideHome, { recursive: true, force: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const fill = (file: string, text: string) => {
  const full = path.join(env().sandbox.outsideHome, file);
  mkdirSync(path.dirname(full), { recursive: true, mode: 0o700 });
  writeFileSync(full, text);
};
const outside = async (command: string, environment: Record<string, string> = {}) => {
  const shell = workspaceShell(root, { openings: { ...noOpenings, host: true } });
  const limits = { timeoutMs: 20_000, signal: new AbortController().signal, maxBytesPerStream: 10_000 };
  return shell.run(command, { ...limits, environment, reportsSession: true });
};

test.runIf(sandboxStatus().isOn)("a call outside gets the system's PATH and none of the conversation's variables", async () => {
  const loading = { PATH: root, LD_PRELOAD: "./e.so", BASH_ENV: "./e", DOCKER_HOST: "tcp://evil.example", CONTAINER_HOST: "x", HOME: root };
  const { stdout } = await outside("/usr/bin/env", loading);
  const names = stdout.split("\n").flatMap((line) => line.split("=")[0] || []);
  expect(stdout).toContain("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n");
  expect(names.filter((name) => ["LD_PRELOAD", "BASH_ENV", "DOCKER_HOST", "CONTAINER_HOST"].includes(name))).toEqual([]);
  expect(/^HOME=(.*)$/m.exec(stdout)?.[1]).not.toBe(root);
});

test.runIf(sandboxStatus().isOn)("its HOME holds what an admin put there, and forgets what the call writes", async () => {
  mkdirSync(path.join(root, ".docker"));
  writeFileSync(path.join(root, ".docker/config.json"), "of the agent");
  expect((await outside("ls -A ~")).stdout).toBe("");
  expect(describeOutside().home).toBeNull();
  fill(".docker/config.json", "of the admin");
  const { stdout } = await outside(
    "cat ~/.docker/config.json; mkdir -p ~/.docker/cli-plugins; echo x > ~/.docker/cli-plugins/docker-compose; echo; echo ~",
  );
  const [text, folder = ""] = stdout.split("\n");
  expect(text).toBe("of the admin");
  expect(existsSync(folder)).toBe(false);
  expect((await outside("ls ~/.docker")).stdout).toBe("config.json\n");
  expect(existsSync(path.join(env().sandbox.outsideHome, ".docker/cli-plugins"))).toBe(false);
  expect(describeOutside().home).toBe(env().sandbox.outsideHome);
});

test.runIf(sandboxStatus().isOn)("nothing runs outside while others may write to the admin's folder", async () => {
  fill("a", "b");
  chmodSync(env().sandbox.outsideHome, 0o777);
  await expect(outside("true")).rejects.toThrow(/others may write to it.*mode 700/);
  chmodSync(env().sandbox.outsideHome, 0o700);
});
