import "server-only";
import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { memberships, users } from "@/db/schema";
import { StartError } from "@/db/start-error";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { systemActor } from "@/server/auth/actor";
import { hashPassword } from "@/server/auth/sign-in/password";
import { db } from "@/server/platform/database/database";

/**
 * Sets a new password for an owner who cannot sign in any more, and ends all of the owner's sessions. No permission is
 * checked, because a person who can start Handrail on its data could also change the row.
 *
 * @param admin a null password is replaced by a random one
 * @returns the password
 * @throws StartError when the e-mail address belongs to no owner
 */
export async function resetAdminPassword(admin: { email: string; password: string | null }): Promise<string> {
  const password = admin.password ?? randomBytes(15).toString("base64url");
  const passwordHash = await hashPassword(password);
  await db().transaction(async (tx) => {
    const [owner] = await tx
      .select({ userId: users.id, workspaceId: memberships.workspaceId })
      .from(users)
      .innerJoin(memberships, eq(memberships.userId, users.id))
      .where(and(eq(users.email, admin.email), eq(memberships.role, "owner")));
    if (!owner) {
      throw new StartError(`${admin.email} is no owner of a workspace: name one in HANDRAIL_ADMIN_EMAIL.`);
    }
    await tx.update(users).set({ passwordHash }).where(eq(users.id, owner.userId));
    await recordConfigChange(tx, {
      workspaceId: owner.workspaceId,
      event: "user.updated",
      actor: systemActor,
      subject: owner.userId,
      data: { email: admin.email, passwordChanged: true },
    });
  });
  return password;
}
