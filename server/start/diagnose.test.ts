import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { temporaryFolder } from "@/server/testing/tool-context";
import { diagnose } from "./diagnose";

const named = (findings: Awaited<ReturnType<typeof diagnose>>) =>
  Object.fromEntries(findings.map(({ name, ...finding }) => [name, finding]));

test("a wrong variable is named, and nothing is tried with it", async () => {
  expect(await diagnose({ PORT: "many", HANDRAIL_DATA_DIR: "/nowhere" })).toEqual([
    expect.objectContaining({ name: "Node", isGood: true }),
    { name: "Settings", isGood: false, sentence: expect.stringContaining("PORT must be a port number") },
  ]);
});

test("a data folder that cannot be written to and a database that does not answer are two findings", async () => {
  const file = path.join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const findings = named(await diagnose({ HANDRAIL_DATA_DIR: path.join(file, "data"), DATABASE_URL: "postgres://x:y@127.0.0.1:1/x" }));
  expect(findings["Data folder"]).toEqual({ isGood: false, sentence: expect.stringContaining("HANDRAIL_DATA_DIR") });
  expect(findings.Database).toEqual({ isGood: false, sentence: expect.stringContaining("DATABASE_URL") });
});

test("what is there is good, with a sentence each", async () => {
  const data = temporaryFolder();
  const findings = await diagnose({ HANDRAIL_DATA_DIR: data, DATABASE_URL: inject("maintenanceDatabaseUrl") });
  expect(findings.filter(({ isGood }) => !isGood)).toEqual([]);
  expect(findings.map(({ name }) => name)).toEqual(["Node", "Settings", "Data folder", "Database", "Sandbox"]);
  expect(named(findings).Sandbox?.sentence).toMatch(/^Commands run in a bubblewrap sandbox/);
});
