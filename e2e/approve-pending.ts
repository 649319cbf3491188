import { type Approval, approvalEndpoints } from "@/contracts/approvals/approvals";
import type { Caller } from "./caller";
import { expect } from "./fixtures";

/** Waits until a call asks that `isMeant`, and approves it. */
export async function approvePending(approver: Caller, isMeant: (approval: Approval) => boolean): Promise<void> {
  let id = "";
  await expect
    .poll(
      async () => {
        const { items } = await approver.call(approvalEndpoints.list, { query: { status: "pending", limit: 200 } });
        id = items.find(isMeant)?.id ?? "";
        return id;
      },
      { timeout: 60_000 },
    )
    .not.toBe("");
  await approver.call(approvalEndpoints.decide, { params: { id }, body: { decision: "approve" } });
}
