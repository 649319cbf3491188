import { expect, test } from "vitest";
import { ModelProviderDraft } from "@/contracts/models/models";
import { createProvider } from "@/server/models/change-providers";
import { authorize, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { listConversationTools } from "@/server/tools/list-conversation-tools";

useTestDatabase();

test("the tools that need a model come with the first provider that has one", async () => {
  const { workspace, admin, agentKey } = await buildWorkspace();
  await addBuiltinTools(workspace.id);
  const { id } = await buildConversation(agentKey);
  const listed = async () => {
    const listing = JSON.stringify(await listConversationTools(authorize(agentKey, "tools:read"), id, "handrail"));
    return ["plan_create", "todo_update", "spawn", "scratchpad"].filter((name) => new RegExp(`\\b${name}\\b`).test(listing));
  };
  expect(await listed()).toEqual(["scratchpad"]);
  const draft = { name: "Local", kind: "openai_compatible", baseUrl: "http://127.0.0.1:9/v1", models: [{ name: "small" }] };
  await createProvider(authorize(admin, "models:write"), ModelProviderDraft.parse(draft));
  expect(await listed()).toEqual(["plan_create", "todo_update", "spawn", "scratchpad"]);
});
