import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/server/testing/test-database";
import { databaseUrl } from "./database";

useTestDatabase();

/** A transaction whose connection is ended while it waits for something else, and then what the pool still can. */
const program = `
  import { setTimeout as pause } from "node:timers/promises";
  if (process.env.MENDED) (await import("./server/platform/mend-driver.ts")).mendDriver();
  const { default: postgres } = await import("postgres");
  const pool = postgres(process.env.URL, { max: 1, backoff: () => 0.05 });
  const other = postgres(process.env.URL, { max: 1 });
  const failed = await pool.begin(async (tx) => {
    const [{ pid }] = await tx\`select pg_backend_pid() as pid\`;
    await other\`select pg_terminate_backend(\${pid})\`;
    await pause(20);
    await tx\`select 1\`;
  }).catch((error) => error.code);
  await pause(100);
  const [{ one }] = await pool\`select 1 as one\`;
  console.log(JSON.stringify({ failed, one }));
  process.exit(0);
`;

function run(environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--no-warnings", "--input-type=module", "--eval", program],
    {
      cwd: path.resolve(import.meta.dirname, "../.."),
      env: { ...process.env, URL: databaseUrl(), NODE_OPTIONS: "", ...environment },
      encoding: "utf8",
      timeout: 20_000,
    },
  );
  return { status, stdout, stderr };
}

test("a transaction whose connection breaks between two statements is rejected, and the pool works on", () => {
  const { status, stdout, stderr } = run({ MENDED: "yes" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ failed: expect.stringMatching(/CONNECTION_CLOSED|57P01/), one: 1 });
  expect(status).toBe(0);
});

test("as it comes, the driver still ends the process; once it does not, mending it is over", () => {
  expect(run({}).stderr).toContain("reading 'write'");
});
