import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { sandboxEndpoints } from "@/contracts/guard/sandbox";
import { identityEndpoints } from "@/contracts/identity/identity";
import { turnEndpoints } from "@/contracts/turns/turns";
import { type Caller, caller } from "../caller";
import { adminEmail, adminPassword, startProduct } from "../product";
import { giveTo, productUsers } from "../product-users";

for (const { who, user } of productUsers()) {
  test(`kill -9 of a server that runs ${who} leaves no boxed process, no network of one and no mount behind`, async () => {
    test.setTimeout(180_000);
    const dataDir = mkdtempSync("/var/tmp/handrail-killed-");
    giveTo(dataDir, user);
    try {
      const product = await startProduct({ dataDir, name: "killed-sandbox", user });
      const agent = caller(product.url, product.agentKey());
      const { token } = await agent.call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
      const { isOn, sentence } = await caller(product.url, token).call(sandboxEndpoints.status);
      expect(isOn, sentence).toBe(true);
      const server = Number(/\d+/.exec(readFileSync(path.join(dataDir, "lock.txt"), "utf8"))?.[0]);
      const markers = [`2${server}.25`, `2${server}.75`];
      await start(agent, { command: `sleep ${markers[0]} & sleep ${markers[0]}`, timeoutSeconds: 300 });
      await start(agent, { command: `(trap '' TERM HUP; setsid sleep ${markers[1]}) & sleep ${markers[1]}`, runInBackground: true });
      await expect.poll(() => markers.map((marker) => runningWith(marker).length), { timeout: 30_000 }).toEqual([2, 2]);
      const boxed = markers.flatMap(runningWith);
      const family = descendantsOf(server).map(processOf);
      const own = new Set(namespacesOf(process.pid));
      const apart = new Set(boxed.flatMap(namespacesOf).filter((namespace) => !own.has(namespace)));
      expect(apart.size, "namespaces of the commands").toBeGreaterThan(4);
      expect(boxed.every((pid) => family.some((member) => member.pid === pid))).toBe(true);
      // As processes, not as namespaces: the kernel gives the number of a namespace that ended to another test's next one.
      const inside = pids()
        .filter((pid) => namespacesOf(pid).some((namespace) => apart.has(namespace)))
        .map(processOf);

      process.kill(server, "SIGKILL");
      await expect.poll(() => product.printed()).toContain("Handrail was ended by SIGKILL");
      await expect.poll(() => markers.flatMap(runningWith), { timeout: 15_000 }).toEqual([]);
      await expect.poll(() => [...inside, ...family].filter(isThere), { timeout: 15_000 }).toEqual([]);
      expect(mountsOf(dataDir)).toEqual([]);
    } finally {
      // Postgres may still be writing its last files.
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });
}

/** Submits a call in a conversation of its own, again while a busy disk does not store it in time, and waits for nothing. */
async function start(agent: Caller, given: Record<string, unknown>): Promise<void> {
  const { id } = await agent.call(conversationEndpoints.create, { body: {} });
  const calls = [{ id: "1", name: "shell_execute", arguments: given as never }];
  const options = { headers: { "idempotency-key": randomUUID() } };
  const submit = () => agent.send(turnEndpoints.submit, { params: { id }, body: { calls, wait: 0 } }, options);
  await expect.poll(async () => (await submit()).status, { timeout: 60_000 }).toBeLessThan(300);
}

const pids = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
const runningWith = (marker: string): number[] => pids().filter((pid) => commandOf(pid) === `sleep ${marker}`);

function commandOf(pid: number): string {
  return read(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim()) ?? "";
}

/** A process, told from a later one that got its number by the time it was started, in the kernel's ticks. */
type Process = { pid: number; command: string; startedAt: string | undefined };

const processOf = (pid: number): Process => ({ pid, command: commandOf(pid), startedAt: statOf(pid)[19] });
const isThere = ({ pid, startedAt }: Process): boolean => startedAt !== undefined && statOf(pid)[19] === startedAt;

/** Fields of /proc/<pid>/stat from the state on, where the parent follows; none of a process that has ended. */
const statOf = (pid: number): string[] => read(() => /^.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]?.split(" ")) ?? [];

function namespacesOf(pid: number): string[] {
  return ["mnt", "net", "pid", "ipc", "uts", "user"].flatMap((kind) => read(() => readlinkSync(`/proc/${pid}/ns/${kind}`)) ?? []);
}

function descendantsOf(ancestor: number): number[] {
  const parents = pids().map((pid) => [pid, Number(statOf(pid)[1])] as const);
  const found: number[] = [];
  for (let level = [ancestor]; level.length > 0; ) {
    level = parents.flatMap(([pid, parent]) => (level.includes(parent) ? [pid] : []));
    found.push(...level);
  }
  return found;
}

const mountsOf = (folder: string): string[] =>
  readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => line.includes(folder));

/** Reads a file of a process; null when the process ended or belongs to another user. */
function read<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
