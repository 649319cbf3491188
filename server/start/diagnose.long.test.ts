import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { temporaryFolder } from "@/server/testing/tool-context";
import { forgetProcess } from "../platform/process-wide";
import { diagnose } from "./diagnose";

afterEach(forgetProcess);

const named = (checks: Awaited<ReturnType<typeof diagnose>>) => Object.fromEntries(checks.map(({ name, ...check }) => [name, check]));

test("a wrong variable is named, and nothing is tried with it", async () => {
  const checks = await diagnose({ PORT: "many", HANDRAIL_DATA_DIR: "/nowhere" }, { isOffline: false });
  expect(checks.map(({ name, status }) => [name, status])).toEqual([
    ["Node", "ok"],
    ["Settings", "failed"],
  ]);
  expect(named(checks).Settings?.sentence).toContain("PORT must be a port number");
});

test("a data folder that cannot be written to and a database that does not answer are two failures", async () => {
  const file = path.join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const variables = { HANDRAIL_DATA_DIR: path.join(file, "data"), DATABASE_URL: "postgres://x:y@127.0.0.1:1/x" };
  const checks = named(await diagnose(variables, { isOffline: false }));
  expect(checks["Data folder"]).toMatchObject({ status: "failed", sentence: expect.stringContaining("HANDRAIL_DATA_DIR") });
  expect(checks.Postgres).toMatchObject({ status: "failed", sentence: expect.stringContaining("DATABASE_URL") });
});

test("offline, the registry, the sandbox, the search and the disk are checked, and no database is asked", async () => {
  const variables = { HANDRAIL_DATA_DIR: temporaryFolder(), DATABASE_URL: "postgres://x:y@127.0.0.1:1/x" };
  const checks = named(await diagnose(variables, { isOffline: true }));
  expect(checks.Postgres?.status).toBe("skipped");
  expect(checks.Tools).toMatchObject({ status: "ok", sentence: expect.stringMatching(/^\d+ tools registered \(/) });
  expect(checks.Search?.status).toBe("ok");
  expect(checks.Disk?.sentence).toMatch(/GB are free/);
  expect(checks.Sandbox?.sentence).toMatch(/^Commands run in a bubblewrap sandbox/);
});

test("a database that no start has migrated is good, and its workspaces are not missed", async () => {
  const variables = { HANDRAIL_DATA_DIR: temporaryFolder(), DATABASE_URL: inject("maintenanceDatabaseUrl") };
  const checks = named(await diagnose(variables, { isOffline: false }));
  expect(checks.Postgres?.status).toBe("ok");
  expect(checks.Tools?.status).toBe("ok");
});
