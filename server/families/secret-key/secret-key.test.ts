import { afterEach, expect, test } from "vitest";
import * as schema from "@/db/schema";
import { createProvider } from "@/server/models/change-providers";
import { listProviders } from "@/server/models/list-providers";
import { refuseSealing, seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { checkSecretKey } from "./check-secret-key";
import { settingTables } from "./sealed-settings";
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

test("every table of settings with secrets is counted, and no table of history", () => {
  expect(settingTables.map(({ noun, columns }) => `${noun}: ${Object.keys(columns).join(" ")}`).sort()).toEqual([
    "auth profiles: secretSealed",
    "data sources: passwordSealed",
    "delegates: secret",
    "mail settings: passwordSealed",
    "mcp servers: argsSealed envSealed urlSealed headersSealed",
    "media settings: providers",
    "messengers: secretsSealed",
    "model providers: keySealed",
    "search settings: providers",
    "shell settings: sealedVariables",
    "skill secrets: valueSealed",
    "triggers: secretSealed",
    "webhooks: secret",
  ]);
});
