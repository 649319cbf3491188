import { readFileSync } from "node:fs";
import path from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { afterEach, expect, test } from "vitest";
import * as schema from "@/db/schema";
import { createProvider } from "@/server/models/change-providers";
import { listProviders } from "@/server/models/list-providers";
import { refuseSealing, seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { checkSecretKey } from "./check-secret-key";
import { secretKeyStatus } from "./secret-key-status";

useTestDatabase();

afterEach(() => refuseSealing(null));

/** A sealed text as another key leaves it: of the right form, and closed for ours. */
const ofAnotherKey = () => seal("secret").replace(/.{4}$/, "AAAA");

async function start(isNew = false): Promise<string> {
  const said: string[] = [];
  await checkSecretKey(isNew, (sentence) => said.push(sentence));
  return said.join("\n");
}

test("a database of before the proof is judged by its secrets, and a new key never joins those of another", async () => {
  const { admin, workspace } = await buildWorkspace();
  const provider = { name: "local", kind: "openai_compatible" as const, baseUrl: "http://127.0.0.1:9/v1", key: "sk-1234567890abcdef" };
  const actor = authorize(admin, "models:write");
  await createProvider(actor, { ...provider, enabled: true, models: [] });
  await db().update(schema.modelProviders).set({ keySealed: ofAnotherKey() });

  await expect(start(true)).rejects.toThrow("the file secret-key is missing. 1 stored secret (model providers: 1) cannot be opened");
  expect(await start()).toContain("1 stored secret (model providers: 1) cannot be opened with this secret key");
  expect(await secretKeyStatus(workspace.id)).toMatchObject({ opensSecrets: false });
  await expect(createProvider(actor, { ...provider, name: "second", enabled: true, models: [] })).rejects.toThrow("cannot be opened");
  expect((await listProviders(authorize(admin, "models:read"))).items).toMatchObject([{ maskedKey: "•••• (cannot be opened)" }]);
  await db().delete(schema.modelProviders);
});

test("the first start keeps a proof, by which a later key is judged even where nothing is sealed", async () => {
  expect(await start(true)).toBe("");
  expect(await start()).toBe("");
  await db().update(schema.installation).set({ keyProof: ofAnotherKey() });
  expect(await start()).toContain("Stored secrets cannot be opened with this secret key");
});

test("the settings whose secrets are counted are all that the schema seals", () => {
  // Texts of calls, jobs, runs, sign-ins under way and sessions of commands: history, not settings.
  const history = ["jobs", "tool_calls", "run_messages", "replica_messages", "shell_sessions", "mcp_authorizations.requestSealed"];
  const read = readFileSync(path.join(import.meta.dirname, "sealed-settings.ts"), "utf8");
  const sealedColumns = Object.values(schema as Record<string, unknown>)
    .filter((table): table is PgTable => is(table, PgTable))
    .flatMap((table) => Object.keys(getTableColumns(table)).map((column) => ({ table: getTableName(table), column })))
    .filter(({ column }) => /sealed/i.test(column))
    .filter(({ table, column }) => !history.includes(table) && !history.includes(`${table}.${column}`));
  expect(sealedColumns.length).toBeGreaterThan(8);
  expect(sealedColumns.filter(({ column }) => !read.includes(column))).toEqual([]);
});
