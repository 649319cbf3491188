import "server-only";
import { and, asc, eq, inArray } from "drizzle-orm";
import { rolePermissions, roles, withImplied } from "@/contracts/permissions";
import type { Db } from "@/db/client";
import { memberships, users } from "@/db/schema";
import { whyIneligible } from "./may-decide";
import type { ApprovalRow } from "./settlement";

export type Approver = { id: string; name: string; email: string };

const decidingRoles = roles.filter((role) => withImplied(rolePermissions[role]).has("approvals:decide"));

/** Returns the members who may decide an approval now; after its escalation, its further approvers too. */
export async function listApprovers(tx: Db, approval: ApprovalRow): Promise<Approver[]> {
  const { workspaceId } = approval;
  const members = await tx
    .select({ id: users.id, name: users.name, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.workspaceId, workspaceId), inArray(memberships.role, decidingRoles)))
    .orderBy(asc(users.id));
  return members.filter(({ id, name, role }) => {
    const permissions = withImplied(rolePermissions[role]);
    const actor = { type: "user" as const, id, name, workspaceId, role, permissions, agentId: null, personId: id, requestId: null };
    return whyIneligible(approval, actor, approval.escalatedAt !== null) === null;
  });
}
