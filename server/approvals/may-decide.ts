import type { Approval } from "@/contracts/approvals/approvals";
import type { Approvers } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import type { ApprovalRow } from "./settlement";

type Decidable = Pick<ApprovalRow, "kind" | "status" | "requestedBy" | "approvers" | "requesterExcluded" | "approvedBy">;

/**
 * Tells whether an actor may decide an approval now, with the reason when the actor may not.
 * @param isEscalated whether the escalation is due by the database's clock, so that its approvers may decide too
 */
export function mayDecide(row: Decidable, actor: Actor, isEscalated: boolean): Approval["mayDecide"] {
  const reason = whyNot(row, actor, isEscalated);
  return { isAllowed: reason === null, reason };
}

function whyNot(row: Decidable, actor: Actor, isEscalated: boolean): string | null {
  if (row.status !== "pending") return "This approval is not waiting any more.";
  if (!actor.permissions.has("approvals:decide")) return noPermission;
  const ineligible = whyIneligible(row, actor, isEscalated);
  if (ineligible) return ineligible;
  return hasVoted(row, actor) ? "You have voted already. Another person has to vote too." : null;
}

const noPermission = "Your role does not decide approvals. Ask an approver of the workspace.";

/**
 * Explains why an actor may not decide this approval or answer this question; null for an eligible actor. Every endpoint
 * checks this through `requireEligible`.
 */
export function whyIneligible(row: Decidable, actor: Actor, isEscalated: boolean): string | null {
  // The agent runtime passes on the answer of its user, so it needs no `approvals:decide`.
  if (row.kind === "question" && isRuntime(actor)) return null;
  if (!actor.permissions.has("approvals:decide")) return noPermission;
  const asked = row.kind === "question" ? "this question" : "this call";
  if (actor.id === row.requestedBy.id && actor.type !== "user") {
    return `The key that asked for ${asked} cannot answer for it. A person has to decide.`;
  }
  if (actor.personId === row.requestedBy.id && row.requesterExcluded) {
    return actor.type === "user"
      ? "You asked for this call, so another person has to decide it."
      : "The person who created this API key asked for this call, so another person has to decide it.";
  }
  const { approvers } = row;
  if (approvers === null || isAmong(approvers, actor)) return null;
  if (isEscalated && approvers.escalation && isAmong(approvers.escalation, actor)) return null;
  return `The rule that asks wants ${inWords(approvers)} to decide.`;
}

/** Tells whether the actor is an API key that submits turns. The caller checks that the key may see the conversation. */
const isRuntime = ({ type, permissions }: Actor): boolean => type === "api_key" && permissions.has("turns:write");

/** Tells whether the person behind the actor has voted; a user and that user's API keys share one vote. */
export function hasVoted({ approvedBy }: Pick<ApprovalRow, "approvedBy">, { id, personId }: Actor): boolean {
  // Votes of earlier releases hold the id of the key.
  return approvedBy.includes(personId) || approvedBy.includes(id);
}

/** Tells whether the actor is among the named roles and users; empty lists admit everybody with `approvals:decide`. */
function isAmong({ roles, users }: Pick<Approvers, "roles" | "users">, actor: Actor): boolean {
  if (roles.length === 0 && users.length === 0) return true;
  return (actor.role !== null && roles.includes(actor.role)) || users.some(({ id }) => id === actor.id);
}

/** Joins approvers for a sentence: "an owner, an admin or Ann". */
function inWords({ roles, users }: Pick<Approvers, "roles" | "users">): string {
  const named = [...roles.map((role) => `${/^[ao]/.test(role) ? "an" : "a"} ${role}`), ...users.map(({ name }) => name)];
  return new Intl.ListFormat("en", { type: "disjunction" }).format(named);
}
