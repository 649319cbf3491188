import type { Approval, InboxRow } from "@/contracts/approvals/approvals";

/** Returns the inbox line of an approval. */
export function toInboxRow(approval: Approval): InboxRow {
  const { tool, decision } = approval;
  const step = decision.trace.find(({ ruleId }) => ruleId === decision.ruleId);
  return {
    id: approval.id,
    kind: approval.kind,
    status: approval.status,
    summary: approval.summary,
    shape: approval.shape,
    risk: approval.risk,
    agent: approval.agent,
    turnId: approval.turnId,
    conversationId: approval.conversationId,
    requestedBy: approval.requestedBy,
    delegators: approval.delegators,
    requestedAt: approval.requestedAt,
    expiresAt: approval.expiresAt,
    quorum: approval.quorum,
    mayDecide: approval.mayDecide,
    tool: { name: tool.name, title: tool.title, effect: tool.effect },
    rule: step ? { id: step.ruleId, name: step.ruleName } : null,
  };
}
