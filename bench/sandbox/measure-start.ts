import { mkdirSync } from "node:fs";
import path from "node:path";
import { noOpenings } from "@/server/capabilities/sandbox/openings";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { workspaceShell } from "@/server/capabilities/shell/workspace-shell";
import { env } from "@/server/platform/env";
import { type Line, milliseconds } from "../report";
import { scaled } from "../scale";
import { median, percentile } from "../statistics";

const limitMs = 15;
const unconfined = { ...noOpenings, host: true };

/** A folder like that of an agent which has a repository: 200 files, git with its settings, one sensitive file. */
function conversation(): string {
  const root = path.join(env().workspaceRoot, "bench");
  mkdirSync(root, { recursive: true });
  return root;
}

const { isOn, sentence } = sandboxStatus();
if (!isOn) throw new Error(sentence);
const root = conversation();
const options = { timeoutMs: 10_000, signal: new AbortController().signal, maxBytesPerStream: 1_000 };
const setup =
  "mkdir -p src .git/hooks && for n in $(seq 200); do echo $n > src/$n; done; echo '[core]' > .git/config; echo exit > .git/hooks/pre-commit; echo KEY=1 > .env";
await workspaceShell(root).run(setup, options);

const kinds = new Map([
  [".env", "sensitive"],
  [".git/config", "runs_by_itself"],
  [".git/hooks", "runs_by_itself"],
] as const);
const classify = (file: string) => kinds.get(file as ".env") ?? null;
const shells = {
  outside: workspaceShell(root, { openings: unconfined }),
  plain: workspaceShell(root),
  protected: workspaceShell(root, { classify }),
};
const times: Record<keyof typeof shells, number[]> = { outside: [], plain: [], protected: [] };
const names = Object.keys(shells) as (keyof typeof shells)[];

// Alternating, so that whatever else the machine does hits all of them; the first round does not count.
for (let round = -1; round < scaled(200, 5); round += 1) {
  for (const name of names) {
    const began = performance.now();
    const { exitCode } = await shells[name].run("true", options);
    if (exitCode !== 0) throw new Error(`true ended with ${exitCode}`);
    if (round >= 0) times[name].push(performance.now() - began);
  }
}

const line = (measured: string, ours: number[]): Line => ({
  measured,
  ours: milliseconds(median(ours)),
  anchor: `${milliseconds(median(times.outside))} (outside the sandbox)`,
  ratio: median(ours) / median(times.outside),
  target: `<= ${limitMs} ms`,
  isMet: median(ours) <= limitMs,
});
const lines: Line[] = [
  line("`true` in the sandbox, p50", times.plain),
  line("`true` in the sandbox of a folder with 200 files and 3 protected ones, p50", times.protected),
  { measured: "the same, p99", ours: milliseconds(percentile(times.protected, 0.99)) },
];
process.stdout.write(JSON.stringify(lines));
