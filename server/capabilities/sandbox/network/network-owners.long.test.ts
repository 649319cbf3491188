import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../../..");
const isRoot = process.getuid?.() === 0;

type Owner = { words: readonly string[]; description: string };
const unprivileged: Owner = {
  description: "an unprivileged user",
  words: isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [],
};
const owners: Owner[] = isRoot
  ? [
      { description: "root", words: [] },
      { description: "root without CAP_SYS_ADMIN, as in a container", words: ["setpriv", "--bounding-set=-sys_admin"] },
      unprivileged,
    ]
  : [unprivileged];

const started: ChildProcessByStdio<Writable, Readable, null>[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Starts a server as another user, which ran a command in the sandbox with a host and without, and holds the network. */
async function heldBy({ words }: Owner, place: string, command: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-network-"));
  folders.push(folder);
  // The other user creates its folders in this folder.
  chmodSync(folder, 0o777);
  const script = ["--conditions=react-server", "--import", "tsx", "server/testing/processes/hold-network.ts", place, command];
  const [program = "", ...args] = [...words, process.execPath, ...script];
  const environment = { ...process.env, HOME: folder, TMPDIR: folder, HANDRAIL_DATA_DIR: folder };
  const child = spawn(program, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"], env: environment });
  started.push(child);
  const [line] = await once(child.stdout, "data");
  return { child, ...(JSON.parse(`${line}`) as { enter: string[]; granted: string; notGranted: string }) };
}

describe.each(owners)("With a server that runs as $description", (owner) => {
  const served = createServer((_request, response) => response.end("reached"));
  let place = "";
  beforeAll(async () => {
    served.listen(0, "127.0.0.2");
    await once(served, "listening");
    place = `127.0.0.2:${(served.address() as AddressInfo).port}`;
  });
  afterAll(() => void served.close());

  test("A command in the sandbox reaches a granted host by its proxy, and the machine in no other way", async () => {
    const curl = `curl -s http://${place}/; echo " $?"; curl -s --noproxy '*' http://${place}/; echo $?; tail -n +3 /proc/net/dev | cut -d: -f1`;
    const { granted, notGranted } = await heldBy(owner, place, curl);

    expect(granted.replaceAll(/ +/g, " ")).toBe("reached 0\n7\n lo\n");
    expect(notGranted.replaceAll(/ +/g, " ")).toBe(" 7\n7\n lo\n");
  });

  test("A killed server leaves no process of its networks behind", async () => {
    const { child, enter } = await heldBy(owner, place, "true");
    const pid = Number(/\d+/.exec(enter.slice(1).join(" "))?.[0]);
    expect(existsSync(`/proc/${pid}`)).toBe(true);

    child.kill("SIGKILL");

    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });
});
