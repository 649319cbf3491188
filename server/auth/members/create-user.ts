import "server-only";
import { eq } from "drizzle-orm";
import type { User, UserDraft } from "@/contracts/identity/identity";
import { memberships, users } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { Authorized } from "../actor";
import { loadActorLimits, refuseMakingOperators } from "../actor-limits";
import { assertStrongPassword } from "../sign-in/assert-strong-password";
import { hashPassword } from "../sign-in/password";
import { refuseManaging } from "./members";
import { presentUser } from "./present-user";

/**
 * Adds a member. A person who exists already in another workspace keeps name and password, because one workspace must not
 * set a password that opens another. Without a password, the person chooses one by an invitation.
 * @throws AppError `conflict` when the person is a member already; `forbidden` when the new member may do more than the
 * actor, or is an owner and the actor is not; `invalid` for a weak password.
 */
export async function createUser(actor: Authorized<"admin">, { email, name, role, password }: UserDraft): Promise<User> {
  refuseManaging(actor, { given: role });
  refuseMakingOperators(await loadActorLimits(db(), actor), role);
  if (password !== undefined) await assertStrongPassword(password, [name, email]);
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return db().transaction(async (tx) => {
    const [added] = await tx.insert(users).values({ email, name, passwordHash }).onConflictDoNothing({ target: users.email }).returning();
    const [user] = added ? [added] : await tx.select().from(users).where(eq(users.email, email));
    if (!user) throw new Error("The user was neither inserted nor found");
    const joined = await tx
      .insert(memberships)
      .values({ workspaceId: actor.workspaceId, userId: user.id, role })
      .onConflictDoNothing()
      .returning();
    if (joined.length === 0) throw new AppError("conflict", `${email} is a member already. Change the role instead.`);
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "user.created",
      actor,
      subject: user.id,
      data: { email, name: user.name, role, wasKnown: !added },
      requestId: actor.requestId,
    });
    return presentUser(user, role);
  });
}
