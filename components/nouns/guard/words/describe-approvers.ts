import type { RequesterMayDecide, RuleApprovers } from "@/contracts/decisions/approvers";
import { orList } from "./describe-pattern";
import type { Phrase } from "./phrase";

export type ApproverNames = {
  /** Returns the name of a person; null when it is not known. */
  nameOf: (userId: string) => string | null;
  /** Setting of the guard for the person who submitted the call. */
  requesterMayDecide: RequesterMayDecide;
};

export const noApproverNames: ApproverNames = { nameOf: () => null, requesterMayDecide: "not_critical" };

type People = Pick<RuleApprovers, "roles" | "users">;

const words = (text: string): Phrase => ({ text, machine: false });

/** Describes who is asked: "Ask an admin or Ada before ", "Ask 2 people before ". */
export function askingPhrase(approvers: RuleApprovers | null, names: ApproverNames): Phrase {
  const quorum = approvers?.quorum ?? 1;
  const eligible = approvers ? listed(approvers, names, quorum === 1 ? "one" : "many") : null;
  const who = quorum === 1 ? (eligible ?? "a person") : eligible === null ? `${quorum} people` : `${quorum} of ${eligible}`;
  const others = names.requesterMayDecide === "never" ? ", never the requester," : "";
  return words(`Ask ${who}${others} before `);
}

/** Describes when further people may decide: ", after 30 min also an owner". */
export function escalationPhrases(approvers: RuleApprovers | null, names: ApproverNames): Phrase[] {
  if (!approvers?.escalation) return [];
  const { afterSeconds, ...people } = approvers.escalation;
  return [words(`, after ${waitText(afterSeconds)} also ${listed(people, names, "one") ?? "nobody"}`)];
}

function waitText(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function listed({ roles, users }: People, { nameOf }: ApproverNames, count: "one" | "many"): string | null {
  if (roles.length + users.length === 0) return null;
  const named = users.map((id) => nameOf(id) ?? `${id.slice(0, 8)}…`);
  return orList([
    ...roles.map((role) => (count === "many" ? `the ${role}s` : /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`)),
    ...named,
  ]);
}

/** Describes when a rule ends: ", until 3 Dec 2026, 18:00 UTC". The same words everywhere, because auditors compare them. */
export function expiryPhrases(expiresAt: string | null): Phrase[] {
  if (expiresAt === null) return [];
  return [words(`, until ${clock.format(new Date(expiresAt))} UTC`)];
}

const clock = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
