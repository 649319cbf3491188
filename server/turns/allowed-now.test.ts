import { describe, expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { proposeGrants } from "@/server/approvals/grants/propose-grants";
import { listAllowedNow } from "@/server/approvals/list-allowed-now";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { onlyApproval, submitCalls, useStage } from "@/server/testing/stage";

const stage = useStage();
const reader = () => authorize(stage.built.approver, "approvals:read");

describe("waiting calls that are allowed by now", () => {
  test("are those that a rule saved since would let pass, and nothing is decided", async () => {
    const first = await submitCalls(stage, [["change", { text: "small" }]]);
    const second = await submitCalls(stage, [["change", { text: "large" }]]);
    expect(await listAllowedNow(reader())).toEqual({ items: [], total: 0, examined: 2 });
    const rule = GuardRuleDraft.parse({ name: "Small changes", tool: "change", parameter: "text", pattern: "^small$", verdict: "allow" });
    await createRule(authorize(stage.built.admin, "guard:write"), rule);
    const { id } = await onlyApproval(first.id);
    expect(await listAllowedNow(reader())).toMatchObject({ items: [{ id, status: "pending" }], total: 1, examined: 2 });
    expect((await onlyApproval(second.id)).status).toBe("pending");
    expect(stage.log).toEqual([]);
  });
});

describe("proposals of grants", () => {
  test("count the recorded calls that each would have covered", async () => {
    for (const text of ["a", "a", "b"]) await submitCalls(stage, [["change", { text }]]);
    const { id } = await onlyApproval((await submitCalls(stage, [["change", { text: "a" }]])).id);
    expect(await proposeGrants(reader(), id)).toEqual({
      proposals: [{ match: { kind: "exact" }, label: "exactly these arguments", covers: 3 }],
      examined: 4,
    });
    const stranger = authorize((await buildWorkspace()).approver, "approvals:read");
    await expect(proposeGrants(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  });
});
