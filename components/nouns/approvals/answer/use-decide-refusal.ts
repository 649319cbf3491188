"use client";

import { useRefusal } from "@/components/kit/session/me";
import { useNow } from "@/components/kit/ui/text/now";
import type { Approval } from "@/contracts/approvals/approvals";
import { timeLeft } from "../time-left";

/** Returns why the signed-in person may not decide an approval now; null when they may. The server checks again. */
export function useDecideRefusal(approval: Pick<Approval, "kind" | "expiresAt" | "mayDecide"> | undefined): string | null {
  const noPermission = useRefusal("approvals:decide");
  const now = useNow();
  if (noPermission !== null || approval === undefined) return noPermission;
  if (timeLeft(approval.expiresAt, now).isOver) return `This ${approval.kind === "question" ? "question" : "approval"} has expired.`;
  return approval.mayDecide.reason;
}
