import type { ToolUsage } from "@/contracts/tools/tools";

type Counts = Pick<ToolUsage, "calls" | "failures" | "refusals" | "pending">;

/** Returns the calls of a tool that ended, in words: "3 calls · 1 failed". */
export function callCounts({ calls, failures, refusals, pending }: Counts): string {
  if (calls === 0) return pending > 0 ? "No finished calls" : "No calls";
  return [
    `${calls.toLocaleString("en")} ${pending > 0 ? "finished " : ""}${calls === 1 ? "call" : "calls"}`,
    ...(failures > 0 ? [`${failures.toLocaleString("en")} failed`] : []),
    ...(refusals > 0 ? [`${refusals.toLocaleString("en")} refused`] : []),
  ].join(" · ");
}
