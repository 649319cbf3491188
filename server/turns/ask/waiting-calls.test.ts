import path from "node:path";
import { expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { requirePermission } from "@/server/auth/actor";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { env } from "@/server/platform/env";
import { createRule } from "@/server/policy/rules/create-rule";
import { neverAborted, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { callSlots } from "../execute/call-slots";
import { withFolderLock } from "../execute/folder-lock";
import { waitForTurn } from "../read/wait-for-turn";

const stage = useStage();

const rule = (settings: Partial<GuardRuleDraft>) =>
  createRule(
    requirePermission(stage.built.admin, "guard:write"),
    GuardRuleDraft.parse({ name: "A rule", tool: "change", verdict: "allow", priority: 1, ...settings }),
  );

/** Submits a call that has to wait, and adds a rule as an admin meanwhile. */
async function ruledWhileItWaits(later: Partial<GuardRuleDraft>, letGo: () => void | Promise<void>) {
  const turn = await submitCalls(stage, [["change", { text: "x" }]], { wait: 0.3 });
  expect(statuses(turn)[0]).toMatch(/pending|running/);
  await rule({ priority: 2, reason: "By now.", ...later });
  await letGo();
  return waitForTurn(turn.id, 10, neverAborted);
}

function holdEverySlot(): () => Promise<void> {
  const { workspace } = stage.built;
  const held: Promise<() => void>[] = [];
  while (callSlots().hasRoom(workspace.id)) held.push(callSlots().take(workspace.id));
  return async () => {
    for (const giveBack of await Promise.all(held)) giveBack();
  };
}

test("a call that a rule denies by the time that it gets a slot is denied", async () => {
  await rule({});
  const denied = await ruledWhileItWaits({ verdict: "deny" }, holdEverySlot());
  expect(denied.calls[0]).toMatchObject({ status: "denied", content: expect.stringContaining("By now.") });
  expect(stage.log).toEqual([]);
});

test("a call that a rule asks about by the time that it gets a slot waits for a person", async () => {
  await rule({});
  const asked = await ruledWhileItWaits({ verdict: "require_approval" }, holdEverySlot());
  expect(asked).toMatchObject({ status: "suspended", calls: [{ status: "awaiting_approval" }] });
  expect(stage.log).toEqual([]);
});

test("a call that is allowed all the same runs once, by the rule that allows it now", async () => {
  await rule({});
  const done = await ruledWhileItWaits({ verdict: "allow" }, holdEverySlot());
  expect(done.calls[0]).toMatchObject({ status: "succeeded", decision: { reason: "By now." } });
  expect(stage.log).toEqual(["change x"]);
});

test("a rule that comes while a call waits for its folder holds for it", async () => {
  await rule({});
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const conversation = { id: stage.conversationId, workspaceId: stage.built.workspace.id };
  const folder = path.relative(env().workspaceRoot, workspaceFolder(conversation, { sharedFolder: null }));
  const holding = withFolderLock(folder, { beforeWaiting: async () => {}, signal: neverAborted, run: () => opened });
  const denied = await ruledWhileItWaits({ verdict: "deny" }, open);
  await holding;
  expect(statuses(denied)).toEqual(["denied"]);
  expect(stage.log).toEqual([]);
});
