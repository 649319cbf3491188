import "server-only";
import { eq } from "drizzle-orm";
import type { User, UserDraft } from "@/contracts/identity";
import { memberships, users } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import type { Holder } from "./actor";
import { refuseManaging } from "./members";
import { ownLimitsOf, refuseMakingOperators } from "./own-limits";
import { hashPassword } from "./password";
import { presentUser } from "./present-user";

/**
 * Adds a member. Somebody whom another workspace knows already joins with the name and password that they have: one
 * workspace must not be able to set a password that opens another.
 * @throws AppError `conflict` when the person is a member here, `forbidden` when an owner is made by somebody who is none, or a member who may
 * do more than the actor.
 */
export async function createUser(actor: Holder<"admin">, { email, name, role, password }: UserDraft): Promise<User> {
  refuseManaging(actor, { given: role });
  refuseMakingOperators(await ownLimitsOf(db(), actor), role);
  const passwordHash = await hashPassword(password);
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
