import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { approvalStatuses } from "@/contracts/approvals";

export const approvalTabs = ["pending", "history", "grants"] as const;

/** What the address of the page may say; read by the server page and the browser alike. */
export const approvalSearch = {
  tab: parseAsStringLiteral(approvalTabs).withDefault("pending"),
  status: parseAsStringLiteral(approvalStatuses),
  tool: parseAsString,
  approval: parseAsString,
};
