import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const unprivileged = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
const cases = [
  { title: "in the sandbox", words: [], setting: "auto" },
  { title: "without a sandbox, as another user", words: unprivileged, setting: "off" },
];

vi.setConfig({ testTimeout: 120_000 });
const served = createServer((_request, response) => response.end("reached"));
const trespassed = createServer(() => trespasses.push("request"));
const trespasses: string[] = [];
const children: ChildProcess[] = [];
const folders: string[] = [];

beforeAll(async () => {
  for (const server of [served, trespassed]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  served.close();
  trespassed.close();
});

const addressOf = (server: typeof served): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** Returns the processes whose command names the folder. */
function processesOf(folder: string): string[] {
  const commandOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && commandOf(name).includes(folder));
}

test.concurrent.each(cases)(
  "a browser $title reaches the allowed address only, and ends with a server that is killed",
  async ({ words, setting }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "handrail-browser-"));
    folders.push(folder);
    chmodSync(folder, 0o777);
    const script = ["--conditions=react-server", "--import", "tsx", "server/testing/processes/hold-browser.ts"];
    const [program = "", ...args] = [...words, process.execPath, ...script, addressOf(served), addressOf(trespassed)];
    const child = spawn(program, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, HOME: folder, TMPDIR: folder, HANDRAIL_DATA_DIR: folder, HANDRAIL_SANDBOX: setting },
    });
    children.push(child);
    const [line] = await once(child.stdout ?? child, "data");
    const { isConfined, text, refused } = JSON.parse(`${line}`);
    expect({ isConfined, text }).toEqual({ isConfined: setting === "auto", text: "reached" });
    expect(refused.join()).toContain("is a private or local address");
    expect(trespasses).toEqual([]);
    expect(processesOf(folder).length).toBeGreaterThan(1);
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
    await vi.waitFor(() => expect(processesOf(folder)).toEqual([]));
  },
);
