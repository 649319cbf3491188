import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { requirePermission } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { type BuiltWorkspace, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { builtinTools as shipped } from "@/server/testing/builtin-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { getTool } from "./admin/get-tool";
import { provideBuiltinTools } from "./builtin-tools";
import { defineTool } from "./define-tool";
import { listConversationTools, loadToolScope } from "./list-conversation-tools";
import { liveTool } from "./live-tools";
import { prepareCall } from "./prepare-call";
import { syncTools } from "./sync-tools";
import { forgetAvailability } from "./tool-availability";

useTestDatabase();

let built: BuiltWorkspace;
let answer: () => Promise<string | null>;
let checks: number;

const lens = (name: string) =>
  defineTool({
    name,
    title: "Lens",
    description: "Looks through a program of the machine.",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    disclosure: { availability: check },
    input: z.object({}),
    execute: async () => "seen",
  });

async function check(): Promise<string | null> {
  checks += 1;
  return answer();
}

beforeEach(async () => {
  checks = 0;
  answer = async () => "The program lens is not installed. Install it and try again.";
  provideBuiltinTools([lens("near_lens"), lens("far_lens")]);
  forgetAvailability();
  built = await buildWorkspace();
  await db().transaction((tx) =>
    syncTools(tx, { workspaceId: built.workspace.id, mcpServerId: null }, [lens("near_lens"), lens("far_lens")]),
  );
});

afterEach(() => {
  provideBuiltinTools(shipped);
  forgetAvailability();
});

const reader = () => requirePermission(built.viewer, "tools:read");
const listed = async (conversationId: string) =>
  JSON.stringify((await listConversationTools(requirePermission(built.agentKey, "tools:read"), conversationId, "handrail")).tools);

test("a tool whose check fails is in no listing, its call says why, and the console has the reason", async () => {
  const { id } = await buildConversation(built.agentKey);
  expect(await listed(id)).not.toContain("near_lens");
  const scope = await loadToolScope(await findConversation(requirePermission(built.agentKey, "tools:read"), id));
  const call = prepareCall(scope, { name: "near_lens", arguments: {} }, (tool) => liveTool(built.workspace.id, tool));
  expect(call).toMatchObject({ kind: "failed", message: expect.stringContaining("lens is not installed") });
  expect((await getTool(reader(), "near_lens")).availability).toEqual({
    status: "unavailable",
    reason: "The program lens is not installed. Install it and try again.",
  });
});

test("the tool is listed once its check passes, without a change of the configuration", async () => {
  const conversation = await buildConversation(built.agentKey);
  expect(await listed(conversation.id)).not.toContain("near_lens");
  answer = async () => null;
  forgetAvailability();
  await expect.poll(() => listed(conversation.id)).toContain("near_lens");
});

test("two tools share one run of their check", async () => {
  await getTool(reader(), "near_lens");
  await getTool(reader(), "far_lens");
  expect(checks).toBe(1);
});

test("a check that throws counts as unavailable", async () => {
  answer = async () => {
    throw new Error("no such program");
  };
  forgetAvailability();
  expect((await getTool(reader(), "far_lens")).availability.status).toBe("unavailable");
});
