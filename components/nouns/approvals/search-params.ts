import { parseAsBoolean, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { isId } from "@/components/kit/api/address-parts";
import { type ApprovalFilter, approvalKinds, approvalStatuses } from "@/contracts/browser/approvals/approvals";
import { severities } from "@/contracts/browser/decisions/decision";

export const approvalTabs = ["pending", "history", "grants"] as const;

/** Search parameters of the page, read on the server and in the browser. */
export const approvalSearch = {
  tab: parseAsStringLiteral(approvalTabs).withDefault("pending"),
  status: parseAsStringLiteral(approvalStatuses),
  tool: parseAsString,
  agent: parseAsString,
  risk: parseAsStringLiteral(severities),
  kind: parseAsStringLiteral(approvalKinds),
  mine: parseAsBoolean.withDefault(false),
  grouped: parseAsBoolean.withDefault(false),
  query: parseAsString.withDefault(""),
  by: parseAsString,
  from: parseAsString,
  to: parseAsString,
  approval: parseAsString,
};

export type ApprovalSearch = {
  status: ApprovalFilter["status"] | null;
  tool: string | null;
  agent: string | null;
  risk: ApprovalFilter["risk"] | null;
  kind: ApprovalFilter["kind"] | null;
  mine: boolean;
  query: string;
  by: string | null;
  from: string | null;
  to: string | null;
};

const present = <T>(name: string, value: T | null | undefined | "" | false) => (value ? { [name]: value } : {});

/** Returns the filter of the inbox: pending approvals. */
export function toInboxFilter({ tool, agent, risk, kind, mine, query }: ApprovalSearch): ApprovalFilter {
  return {
    status: "pending",
    ...present("tool", tool?.slice(0, 64)),
    ...present("agent", agent?.slice(0, 64)),
    ...present("risk", risk),
    ...present("kind", kind),
    ...present("mine", mine),
    ...present("query", query.trim().slice(0, 200)),
  };
}

/** Returns the filter of the history: what is pending stands in the inbox. Days are in the person's time zone. */
export function toHistoryFilter({ status, tool, agent, query, by, from, to }: ApprovalSearch): ApprovalFilter {
  return {
    isDecided: true,
    ...present("status", status),
    ...present("tool", tool?.slice(0, 64)),
    ...present("agent", agent?.slice(0, 64)),
    ...present("query", query.trim().slice(0, 200)),
    ...present("decidedBy", by && isId(by) ? by : null),
    ...present("from", startOfDay(from)),
    ...present("to", startOfDay(to, 1)),
  };
}

/** Returns the midnight at which a day "2026-03-01" begins, or `daysLater` days later; null for other texts. */
function startOfDay(day: string | null, daysLater = 0): string | null {
  const parts = day?.match(/^(\d{4})-(\d{2})-(\d{2})$/);
  if (!parts) return null;
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + daysLater);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
