import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { approvals, conversations, toolCalls } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { requirePermission } from "@/server/auth/actor";
import { files } from "@/server/capabilities/call-capabilities";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { approverActor, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { waitForTurn } from "../read/wait-for-turn";

const look = vi.hoisted(() => ({ until: Promise.resolve<unknown>(undefined) }));
/** Lets a test delay `folderFacts`, which runs before a decision. */
vi.mock("./folder-facts", async (original) => {
  const { folderFacts } = await original<typeof import("./folder-facts")>();
  return {
    folderFacts: async (...[request, options]: Parameters<typeof folderFacts>) => {
      if (request.tool.name === "empty_file") await look.until;
      return folderFacts(request, options);
    },
  };
});

const stage = useStage();
const rule = (draft: object) =>
  createRule(requirePermission(stage.built.admin, "guard:write"), GuardRuleDraft.parse({ name: "Rule", ...draft }));

/** Two tools that change the same file. */
const roads = ["drop_file", "empty_file"] as const;
beforeEach(async () => {
  const tools = roads.map((name) =>
    defineTool({
      name,
      title: name,
      description: "Changes a file",
      family: "probe",
      tier: "core",
      effect: "write",
      needs: [files],
      input: z.object({ path: z.string() }),
      execute: async ({ path }) => {
        stage.log.push(`${name} ${path}`);
        return "done";
      },
    }),
  );
  await buildTools(stage.built.workspace.id, tools, { alias: "roads" });
});
const [drop, empty] = roads;
const path = "data.csv";

test("a person's rejection counts before the refused turn has gone on, whichever replica took the answer", async () => {
  const asked = await submitCalls(stage, [[drop, { path }]]);
  const question = await onlyApproval(asked.id);
  await rule({ tool: empty, verdict: "allow" });
  // Another replica writes the answer, and the turn does not resume here.
  await db().update(approvals).set({ status: "rejected", decidedAt: new Date() }).where(eq(approvals.id, question.id));
  const around = await submitCalls(stage, [[empty, { path }]]);
  expect(around.status).toBe("suspended");
  expect((await onlyApproval(around.id)).decision.reason).toContain(`A person refused ${drop} earlier in this conversation`);
  expect(statuses(await submitCalls(stage, [[empty, { path: "other.csv" }]]))).toEqual(["succeeded"]);
  const [call] = await db().select().from(toolCalls).where(eq(toolCalls.turnId, asked.id));
  expect(call?.status, "the refused turn has not gone on").toBe("awaiting_approval");
});

test("a call that is submitted right after a rejection is asked about", async () => {
  const asked = await submitCalls(stage, [[drop, { path }]]);
  await rule({ tool: empty, verdict: "allow" });
  const goesOn = waitForTurn(asked.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "reject", comment: "no" });
  expect((await submitCalls(stage, [[empty, { path }]])).status).toBe("suspended");
  expect(statuses(await goesOn)).toEqual(["rejected"]);
  expect(stage.log).toEqual([]);
});

test("a rejection counts for another turn that is looking at files meanwhile", async () => {
  const asked = await submitCalls(stage, [[drop, { path }]]);
  await rule({ tool: empty, verdict: "allow" });
  const goesOn = waitForTurn(asked.id, 20, neverAborted);
  // The second turn is planned with the conversation as it was before.
  look.until = onlyApproval(asked.id)
    .then(({ id }) => decideApproval(approverActor(stage), id, { decision: "reject", comment: "no" }))
    .then(() => goesOn);
  const around = await submitCalls(stage, [[empty, { path }]]);
  expect(statuses(await goesOn)).toEqual(["rejected"]);
  expect(around.status).toBe("suspended");
  expect(stage.log).not.toContain(`${empty} ${path}`);
});

test("a denial by policy is no refusal by a person: the same target is decided as before", async () => {
  await rule({ tool: empty, verdict: "allow" });
  await rule({ tool: drop, verdict: "deny", reason: "Not this one." });
  expect(statuses(await submitCalls(stage, [[drop, { path }]]))).toEqual(["denied"]);
  expect(statuses(await submitCalls(stage, [[empty, { path }]]))).toEqual(["succeeded"]);
});

test("a refusal is remembered once, and one that a person forgave counts no more at once", async () => {
  const asked = await submitCalls(stage, [[drop, { path }]]);
  await rule({ tool: empty, verdict: "allow" });
  const goesOn = waitForTurn(asked.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "reject", comment: "no" });
  await goesOn;
  const [row] = await db().select().from(conversations).where(eq(conversations.id, stage.conversationId));
  expect(row?.refusals).toHaveLength(1);
  const around = await submitCalls(stage, [[empty, { path }]]);
  const runs = waitForTurn(around.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(around.id)).id, { decision: "approve", comment: "" });
  expect(statuses(await runs)).toEqual(["succeeded"]);
  expect(statuses(await submitCalls(stage, [[empty, { path }]]))).toEqual(["succeeded"]);
});
