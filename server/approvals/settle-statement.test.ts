import { expect, test } from "vitest";
import { writerPool } from "@/server/platform/database/database";
import { useTestDatabase } from "@/server/testing/test-database";
import { settleStatement } from "./settle-statement";

useTestDatabase();

test("a decision finds its approval by its id, and never looks through everything that is pending", async () => {
  const { text } = settleStatement([]);
  const plan = await writerPool().begin(async (tx) => {
    await tx.unsafe(`prepare settle as ${text}`);
    return tx.unsafe<{ "QUERY PLAN": string }[]>("explain execute settle('[]')");
  });
  const looks = plan.map((row) => row["QUERY PLAN"]).filter((line) => / on approvals\b/.test(line) && line.includes("Scan"));
  expect(looks.map((line) => line.trim().replace(/ +\(.*/, ""))).toEqual(["->  Index Scan using approvals_pkey on approvals"]);
});
