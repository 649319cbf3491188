import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { startProduct } from "../product";

test("whichever process is killed, nothing stays behind and the next start recovers by itself", async () => {
  test.setTimeout(180_000);
  const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-recovery-"));
  try {
    const first = await startProduct({ dataDir, name: "recovery" });
    const port = Number(new URL(first.url).port);
    expect(first.agentKey(), "the first start shows the agent key").not.toBeNull();
    await first.kill();

    // Started at once, it finds the server of the killed one still stopping, or stopped.
    const second = await startProduct({ dataDir, name: "recovery", port });
    expect(second.agentKey(), "later starts show no key").toBeNull();
    process.kill(await idIn(path.join(dataDir, "lock.txt")), "SIGKILL");
    await expect.poll(() => second.printed()).toContain("Handrail was ended by SIGKILL");

    const third = await startProduct({ dataDir, name: "recovery", port });
    process.kill(await idIn(path.join(dataDir, "postgres/postmaster.pid")), "SIGKILL");
    await expect.poll(() => third.printed()).toContain("Postgres has ended unexpectedly");

    const fourth = await startProduct({ dataDir, name: "recovery", port });
    // Fails when a process is left.
    await fourth.stop();
    expect(fourth.printed()).toContain("Handrail has stopped.");
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

async function idIn(file: string): Promise<number> {
  return Number(/\d+/.exec(await readFile(file, "utf8"))?.[0]);
}
