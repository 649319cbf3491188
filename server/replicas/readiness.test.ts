import { expect, test } from "vitest";
import { useTestDatabase } from "@/server/testing/test-database";
import { readiness } from "./readiness";

useTestDatabase();

test("probes that come while one is under way share its answer, and the next one looks again", async () => {
  const first = readiness();
  expect(readiness()).toBe(first);
  expect((await first).checks).toMatchObject({ database: "ok", audit: "ok" });
  expect(readiness()).not.toBe(first);
  expect((await readiness()).checks.database).toBe("ok");
});
