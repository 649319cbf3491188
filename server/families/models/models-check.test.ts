import { expect, test } from "vitest";
import { ModelProviderDraft } from "@/contracts/models/models";
import { createProvider } from "@/server/models/change-providers";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { startModelServer } from "@/server/testing/models/model-protocol-server";
import { useTestDatabase } from "@/server/testing/test-database";
import { modelsCheck } from "./models-check";

useTestDatabase();

test("doctor names the enabled provider that does not answer", async () => {
  const { workspace, admin } = await buildWorkspace();
  const add = (name: string, baseUrl: string, enabled = true) =>
    createProvider(authorize(admin, "models:write"), ModelProviderDraft.parse({ name, kind: "openai_compatible", baseUrl, enabled }));
  expect(await modelsCheck.run(workspace.id)).toEqual([{ name: "Models", status: "ok", sentence: expect.stringContaining("No model") }]);
  const server = await startModelServer([{}]);
  await add("Here", server.baseUrl("openai_compatible"));
  await add("Gone", "http://127.0.0.1:9/v1");
  await add("Off", "http://127.0.0.1:9/v1", false);
  expect(await modelsCheck.run(workspace.id)).toMatchObject([
    { sentence: "1 of 2 enabled model providers answer." },
    { name: "Model provider Gone", status: "warning" },
  ]);
});
