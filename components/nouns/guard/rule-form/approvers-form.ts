import type { Verdict } from "@/contracts/decisions/decision";
import type { GuardRuleDraft } from "@/contracts/guard/guard";

type Approvers = NonNullable<GuardRuleDraft["approvers"]>;

/** Eligible approvers as form values: minutes in place of seconds, and an empty number without escalation. */
export type ApproversForm = {
  roles: string[];
  users: string[];
  quorum: number | string;
  escalateAfterMinutes: number | string;
  escalateRoles: string[];
  escalateUsers: string[];
};

export const noApprovers: ApproversForm = {
  roles: [],
  users: [],
  quorum: 1,
  escalateAfterMinutes: "",
  escalateRoles: [],
  escalateUsers: [],
};

export function toApproversForm(approvers: Approvers | null): ApproversForm {
  if (!approvers) return noApprovers;
  const { roles, users, quorum, escalation } = approvers;
  return {
    roles,
    users,
    quorum,
    escalateAfterMinutes: escalation ? escalation.afterSeconds / 60 : "",
    escalateRoles: escalation?.roles ?? [],
    escalateUsers: escalation?.users ?? [],
  };
}

/** Returns the approvers to send; null for the default, and for a rule that requires no approval. */
export function toApprovers(form: ApproversForm, verdict: Verdict) {
  if (verdict !== "require_approval" || isEmpty(form)) return null;
  const { roles, users, quorum, escalateAfterMinutes } = form;
  const escalation =
    escalateAfterMinutes === ""
      ? null
      : { afterSeconds: Math.round(Number(escalateAfterMinutes) * 60), roles: form.escalateRoles, users: form.escalateUsers };
  return { roles, users, quorum: quorum === "" ? 1 : Number(quorum), escalation };
}

/** Returns whether the form equals the default. */
export function isEmpty({ roles, users, quorum, escalateAfterMinutes }: ApproversForm): boolean {
  return roles.length === 0 && users.length === 0 && (quorum === 1 || quorum === "") && escalateAfterMinutes === "";
}
