import type { approvals } from "@/db/schema";
import { storableText } from "@/server/platform/database/storable";
import { env } from "@/server/platform/env";

type ApprovalRow = typeof approvals.$inferSelect;

/** Leads to the card, after a sign-in where one is needed. It decides nothing. */
export const cardPath = (approvalId: string): string => `/approvals?approval=${approvalId}`;
export const cardLink = (approvalId: string): string => `${env().publicUrl.replace(/\/+$/, "")}${cardPath(approvalId)}`;

/** One line of visible characters: texts of models and strangers reach subjects and lock screens. */
export const oneVisibleLine = (text: string, most: number): string =>
  storableText(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, most);

export const headlineOf = ({ kind, agent, toolTitle }: ApprovalRow): string =>
  kind === "question" ? `${oneVisibleLine(agent, 60)} asks a question` : `${oneVisibleLine(toolTitle, 60)} needs approval`;

/** The inbox's card as a text. */
export function cardText(approval: ApprovalRow): string {
  const { id, kind, summary, risk, agent, requestedBy, decision, expiresAt } = approval;
  return [
    `${headlineOf(approval)}${kind === "question" ? "" : ` (risk: ${risk})`}`,
    oneVisibleLine(summary, 600),
    ...(kind === "question" ? [] : [`Why: ${oneVisibleLine(decision.reason, 300)}`]),
    `Asked by ${oneVisibleLine(requestedBy.name, 100)}, agent ${oneVisibleLine(agent, 100)}`,
    `Waits until ${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    cardLink(id),
  ].join("\n");
}
