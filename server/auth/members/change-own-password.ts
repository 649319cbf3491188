import "server-only";
import { eq } from "drizzle-orm";
import { sessions, users } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "../actor";
import { forgetActors } from "../actor-cache";
import { assertStrongPassword } from "../sign-in/assert-strong-password";
import { hashPassword, verifyPassword } from "../sign-in/password";
import { announceAccessEnded } from "../sign-in/sessions";
import { beginSignIn } from "../sign-in/sign-in-limit";

type Passwords = { currentPassword: string; newPassword: string };

/**
 * Changes the actor's own password, for any role, and ends all of the actor's sessions and tokens.
 * @throws AppError `forbidden` for API keys and people without a password, `invalid`, `too_many_requests`
 */
export async function changeOwnPassword(actor: Actor, { currentPassword, newPassword }: Passwords, address: string | null): Promise<void> {
  if (actor.type !== "user") throw new AppError("forbidden", "API keys have no password. Sign in as a person.");
  const [user] = await db().select().from(users).where(eq(users.id, actor.id));
  if (!user?.passwordHash) throw new AppError("forbidden", "You sign in through your identity provider. Change your password there.");
  const attempt = beginSignIn(user.email, address);
  if (!(await verifyPassword(user.passwordHash, currentPassword))) throw wrong("currentPassword", "This is not your current password.");
  attempt.succeeded();
  if (newPassword === currentPassword) throw wrong("newPassword", "The new password is the current one. Choose another.");
  await assertStrongPassword(newPassword, [user.name, user.email], "newPassword");
  const passwordHash = await hashPassword(newPassword);
  await db().transaction(async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, actor.id));
    await tx.delete(sessions).where(eq(sessions.userId, actor.id));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "user.updated",
      actor,
      subject: actor.id,
      data: { email: user.email, passwordChanged: true },
      requestId: actor.requestId,
    });
    await announceAccessEnded(tx);
  });
  forgetActors();
}

const wrong = (path: string, message: string) => new AppError("invalid", message, { errors: [{ path, message }] });
