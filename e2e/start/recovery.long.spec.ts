import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { identityEndpoints } from "@/contracts/identity/identity";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { installedNode, installProgram } from "../../scripts/install-program";
import { caller } from "../caller";
import { adminEmail, adminPassword, type Product, startProduct } from "../product";

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

const stubbornServer = path.resolve("server/testing/mcp/hostile-mcp-server.mjs");

for (const sandbox of ["auto", "off"]) {
  test(`kill -9 leaves no stubborn MCP server behind after the next start, sandbox ${sandbox}`, async () => {
    test.setTimeout(180_000);
    const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-orphans-"));
    const variables = { HANDRAIL_SANDBOX: sandbox };
    // Also the argument of the child that the server starts, which hears of no end at all.
    const marker = `9${process.pid}.${sandbox === "off" ? 25 : 75}`;
    try {
      const first = await startProduct({ dataDir, name: "orphans", variables });
      const { token } = await caller(first.url, null).call(identityEndpoints.token, {
        body: { email: adminEmail, password: adminPassword },
      });
      const admin = caller(first.url, token);
      const args = [await installProgram("stubborn", stubbornServer), "stubborn", marker];
      const server = { alias: "stubborn", transport: "stdio" as const, command: installedNode(), args };
      const { id } = await admin.call(mcpServerEndpoints.create, { body: server });
      const status = async (of = admin) => (await of.call(mcpServerEndpoints.get, { params: { id } })).status;
      await expect.poll(status, { timeout: 60_000 }).toBe("connected");
      const before = await idsWith(marker);
      expect(before.length, "the server and its child").toBeGreaterThanOrEqual(2);

      process.kill(await idIn(path.join(dataDir, "lock.txt")), "SIGKILL");
      await expect.poll(() => first.printed()).toContain("Handrail was ended by SIGKILL");
      const second = await startProduct({ dataDir, name: "orphans", port: Number(new URL(first.url).port), variables });
      await expect.poll(async () => (await idsWith(marker)).filter((pid) => before.includes(pid)), { timeout: 30_000 }).toEqual([]);
      await expectConnectedAgain(second, () => status(admin));
      await second.stop();
      expect(await idsWith(marker)).toEqual([]);
    } finally {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });
}

/** The new start has a server of its own, so that none is left because none was started. */
async function expectConnectedAgain(product: Product, status: () => Promise<string>): Promise<void> {
  await expect.poll(status, { timeout: 60_000, message: product.url }).toBe("connected");
}

/** Ids of the processes with this word among their arguments. */
async function idsWith(word: string): Promise<number[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(all.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return all.flatMap((id, place) => (lines[place]?.split("\0").includes(word) ? [Number(id)] : []));
}
