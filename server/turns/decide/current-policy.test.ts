import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { TurnDraft } from "@/contracts/turns/turns";
import { guardConfig, guardRules, workspaces } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { loadConfigVersion } from "@/server/platform/signals/versioned-cache";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import { useTestDatabase } from "@/server/testing/test-database";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { submitTurn } from "../submit-turn";

useTestDatabase();

let built: BuiltWorkspace;
let ran: number;

beforeEach(async () => {
  ran = 0;
  built = await buildWorkspace();
  const change = defineTool({
    name: "change",
    title: "Change",
    description: "Writes",
    family: "probe",
    tier: "core",
    effect: "write",
    needs: [],
    input: z.object({}),
    execute: async () => {
      ran += 1;
      return "changed";
    },
  });
  await buildTools(built.workspace.id, [change]);
  await allowByDefault(built.workspace.id);
  await db().transaction((tx) => bumpConfigVersion(tx, built.workspace.id));
});

async function submit() {
  const conversation = await buildConversation(built.agentKey);
  const draft = TurnDraft.parse({ calls: [{ id: "1", name: "change" }] });
  const signal = new AbortController().signal;
  return submitTurn(requirePermission(built.agentKey, "turns:write"), {
    conversationId: conversation.id,
    draft,
    idempotencyKey: null,
    signal,
  });
}

test("a call that changes something is never run under rules that were replaced before it began, even when nobody was told", async () => {
  expect((await submit()).calls[0]?.status).toBe("succeeded");
  expect(ran).toBe(1);
  // A change by another replica whose notification got lost, so only the rows have it.
  await db()
    .insert(guardRules)
    .values({ workspaceId: built.workspace.id, name: "No changes", tool: "change", verdict: "deny", priority: 1, reason: "Not now." });
  await db()
    .update(guardConfig)
    .set({ policyVersion: sql`${guardConfig.policyVersion} + 1` })
    .where(eq(guardConfig.workspaceId, built.workspace.id));
  await db()
    .update(workspaces)
    .set({ configVersion: sql`${workspaces.configVersion} + 1` })
    .where(eq(workspaces.id, built.workspace.id));
  expect((await submit()).calls[0]).toMatchObject({ status: "denied", content: expect.stringContaining("Not now.") });
  expect(ran).toBe(1);
  expect(await loadConfigVersion(built.workspace.id)).toBeGreaterThan(1);
});
