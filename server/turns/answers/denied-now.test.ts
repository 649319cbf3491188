import { expect, test, vi } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { requirePermission } from "@/server/auth/actor";
import { newId } from "@/server/platform/ids";
import { createRule } from "@/server/policy/rules/create-rule";
import { removeRule } from "@/server/policy/rules/remove-rule";
import { authorize, buildApiKey } from "@/server/testing/builders";
import { approverActor, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { waitForTurn } from "../read/wait-for-turn";
import { decideMany, decideWithEdits } from "./decide-with-edits";
import { getApprovalNow } from "./denied-now";

const stage = useStage();

const admin = () => authorize(stage.built.admin, "guard:write");
const rule = (draft: Partial<GuardRuleDraft>) =>
  createRule(
    admin(),
    GuardRuleDraft.parse({ name: "No changes", tool: "change", verdict: "deny", reason: "Freeze until Monday.", ...draft }),
  );
const approve = (id: string) => decideWithEdits(approverActor(stage), id, { decision: "approve", comment: "" });

test("who approves a call that a newer rule denies is told so before, and cannot approve it in vain", async () => {
  const asked = await submitCalls(stage, [["change", { text: "it" }]]);
  const { id } = await onlyApproval(asked.id);
  expect(await getApprovalNow(approverActor(stage), id)).not.toHaveProperty("deniedNow");
  const denying = await rule({});
  const told = "A rule saved since then denies this call: No changes. Freeze until Monday.";
  expect((await getApprovalNow(approverActor(stage), id)).deniedNow).toBe(told);
  await expect(approve(id)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining(told) });
  const { results } = await decideMany(approverActor(stage), [{ id, decision: "approve", comment: "" }]);
  expect(results[0]).toMatchObject({ ok: false, code: "conflict", detail: expect.stringContaining(told) });
  expect((await onlyApproval(asked.id)).status).toBe("pending");

  await removeRule(admin(), denying.id, null);
  expect(await getApprovalNow(approverActor(stage), id)).not.toHaveProperty("deniedNow");
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  expect((await approve(id)).status).toBe("approved");
  expect(statuses(await waiting)).toEqual(["succeeded"]);
  expect(stage.log).toEqual(["change it"]);
});

test("who approves a denied call with an API key is told before, and by the refusal, and can reject it", async () => {
  const asked = await submitCalls(stage, [["change", { text: "it" }]]);
  const { id } = await onlyApproval(asked.id);
  await rule({});
  const key = await buildApiKey(stage.built.workspace.id, { scopes: ["approvals:decide"] });
  const told = "A rule saved since then denies this call: No changes. Freeze until Monday.";
  expect((await getApprovalNow(requirePermission(key, "approvals:read"), id)).deniedNow).toBe(told);
  const decider = requirePermission(key, "approvals:decide");
  await expect(decideWithEdits(decider, id, { decision: "approve", comment: "" })).rejects.toMatchObject({
    code: "conflict",
    message: `${told} It cannot be approved. Reject it, or change that rule first.`,
  });
  const { results } = await decideMany(decider, [{ id, decision: "approve", comment: "" }]);
  expect(results).toMatchObject([{ id, ok: false, code: "conflict", detail: expect.stringContaining(told) }]);
  expect((await decideWithEdits(decider, id, { decision: "reject", comment: "" })).decidedBy).toMatchObject({
    type: "api_key",
    id: key.id,
  });
});

test("a long list is decided in its order, each once, and a refusal stops nothing", async () => {
  const ids: string[] = [];
  for (let place = 0; place < 25; place++)
    ids.push((await onlyApproval((await submitCalls(stage, [["change", { text: `${place}` }]])).id)).id);
  const answers = [...ids, newId(), ids[0] ?? ""].map((id) => ({ id, decision: "approve" as const, comment: "" }));
  const { results } = await decideMany(approverActor(stage), answers);
  expect(results.map(({ id }) => id)).toEqual(answers.map(({ id }) => id));
  expect(results.map(({ code }) => code)).toEqual([...ids.map(() => null), "not_found", "already_decided"]);
  await vi.waitFor(() => expect(stage.log.toSorted()).toEqual(ids.map((_, place) => `change ${place}`).toSorted()));
});

test("a call that a newer rule denies can be rejected, and a rule about other calls says nothing", async () => {
  const asked = await submitCalls(stage, [["change", { text: "it" }]]);
  const { id } = await onlyApproval(asked.id);
  await rule({ pattern: "^other$" });
  expect(await getApprovalNow(approverActor(stage), id)).not.toHaveProperty("deniedNow");
  await rule({});
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  await decideWithEdits(approverActor(stage), id, { decision: "reject", comment: "no" });
  expect(statuses(await waiting)).toEqual(["rejected"]);
});
