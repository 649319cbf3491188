import "server-only";
import { and, eq, ne } from "drizzle-orm";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Invitation, InvitationAnswer } from "@/contracts/identity/identity";
import { memberships, sessions, users } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { derivedKey } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { sharedNow, sharedNowMs } from "@/server/platform/database/shared-clock";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import type { Authorized } from "../actor";
import { forgetActors } from "../actor-cache";
import { loadActorLimits, refuseMakingOperators } from "../actor-limits";
import { assertStrongPassword } from "../sign-in/assert-strong-password";
import { hashPassword } from "../sign-in/password";
import { announceAccessEnded } from "../sign-in/sessions";
import { passwordFingerprint } from "../sign-in/user-claims";
import { lockMember, refuseManaging } from "./members";

const issuer = "handrail-invitation";
const lifeMs = 7 * 24 * 60 * 60_000;

/** The password's fingerprint makes a link work once: the new password has another one. */
const Claims = z.object({ sub: z.uuid(), workspace: z.uuid(), password: z.string() });

/**
 * Makes a link with which a member chooses a password. Nothing is stored: a new password, or the end of the membership,
 * ends the link.
 * @throws AppError `not_found`; `forbidden` for members who may do more than the actor; `conflict` for a person of another
 * workspace, because one workspace must not set a password that opens another
 */
export async function createInvitation(actor: Authorized<"admin">, userId: string): Promise<Invitation> {
  return db().transaction(async (tx) => {
    const { user, role } = await lockMember(tx, actor, userId);
    refuseManaging(actor, { had: role, given: role });
    refuseMakingOperators(await loadActorLimits(tx, actor), role);
    if (actor.type === "user" && actor.id === userId) {
      throw new AppError("conflict", "Change your own password in the account menu.");
    }
    const [elsewhere] = await tx
      .select({ workspaceId: memberships.workspaceId })
      .from(memberships)
      .where(and(eq(memberships.userId, userId), ne(memberships.workspaceId, actor.workspaceId)))
      .limit(1);
    if (elsewhere) {
      throw new AppError("conflict", `${user.name} belongs to another workspace too, so only they can change their password.`);
    }
    const expiresAt = new Date(Math.floor((sharedNowMs() + lifeMs) / 1_000) * 1_000);
    const token = await new SignJWT({ sub: userId, workspace: actor.workspaceId, password: passwordFingerprint(user.passwordHash) })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(issuer)
      .setIssuedAt(sharedNow())
      .setExpirationTime(expiresAt)
      .sign(derivedKey("invitations"));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "user.invited",
      actor,
      subject: userId,
      data: { email: user.email, expiresAt: expiresAt.toISOString() },
      requestId: actor.requestId,
    });
    // The token stands behind the #, because browsers send that part to no server.
    return { url: `${env().publicUrl}/invitation#${token}`, expiresAt: expiresAt.toISOString() };
  });
}

/**
 * Sets the password that an invited person chose, and ends all sessions and tokens of the person.
 * @returns the address to sign in with
 * @throws AppError `not_found` for a link that is forged, expired or used; `invalid` for a weak password
 */
export async function acceptInvitation({ token, password }: InvitationAnswer, requestId: string): Promise<{ email: string }> {
  const claims = await readToken(token);
  const [known] = claims ? await db().select().from(users).where(eq(users.id, claims.sub)) : [];
  if (!claims || !known) throw ended();
  await assertStrongPassword(password, [known.name, known.email]);
  const passwordHash = await hashPassword(password);
  const email = await db().transaction(async (tx) => {
    const [member] = await tx
      .select({ user: users })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.workspaceId, claims.workspace), eq(memberships.userId, claims.sub)))
      .for("update");
    if (!member || passwordFingerprint(member.user.passwordHash) !== claims.password) throw ended();
    const { user } = member;
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    await tx.delete(sessions).where(eq(sessions.userId, user.id));
    await recordConfigChange(tx, {
      workspaceId: claims.workspace,
      event: "user.updated",
      actor: { type: "user", id: user.id, name: user.name },
      subject: user.id,
      data: { email: user.email, passwordChanged: true, byInvitation: true },
      requestId,
    });
    await announceAccessEnded(tx);
    return user.email;
  });
  forgetActors();
  return { email };
}

async function readToken(token: string): Promise<z.infer<typeof Claims> | null> {
  try {
    const { payload } = await jwtVerify(token, derivedKey("invitations"), { algorithms: ["HS256"], issuer, currentDate: sharedNow() });
    return Claims.parse(payload);
  } catch {
    // Forged, malformed and expired links are refused with one sentence.
    return null;
  }
}

const ended = () => new AppError("not_found", "This invitation does not hold any more. Ask for a new one.");
