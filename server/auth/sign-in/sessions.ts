import "server-only";
import { and, eq, lt, sql } from "drizzle-orm";
import type { SignInMethod } from "@/contracts/identity/identity";
import type { Db } from "@/db/client";
import { sessions, users } from "@/db/schema";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { forgetActors } from "../actor-cache";
import type { UserClaims } from "./user-claims";

const lifeSeconds: Record<SignInMethod, number> = { console: 7 * 24 * 60 * 60, provider: 7 * 24 * 60 * 60, token: 24 * 60 * 60 };

/** Begins the session of a sign-in, and deletes the person's expired sessions. @returns the session's id */
export async function beginSession(
  tx: Db,
  { workspaceId, userId, method }: Omit<typeof sessions.$inferInsert, "expiresAt">,
): Promise<string> {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), lt(sessions.expiresAt, sql`now()`)));
  const expiresAt = sql`now() + make_interval(secs => ${lifeSeconds[method]})`;
  const [session] = await tx.insert(sessions).values({ workspaceId, userId, method, expiresAt }).returning({ id: sessions.id });
  if (!session) throw new Error("The session was not inserted");
  return session.id;
}

/** Ends a session on sign-out, so that copies of its cookie are refused. A second call changes nothing. */
export async function endSession({ session, sub, workspace }: UserClaims, requestId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [ended] = await tx
      .delete(sessions)
      .where(and(eq(sessions.workspaceId, workspace), eq(sessions.id, session), eq(sessions.userId, sub)))
      .returning({ id: sessions.id });
    const [user] = await tx.select().from(users).where(eq(users.id, sub));
    if (!ended || !user) return;
    await record(tx, {
      workspaceId: workspace,
      event: "user.signed_out",
      actor: { type: "user", id: user.id, name: user.name },
      subject: user.email,
      requestId,
    });
    await announceAccessEnded(tx);
  });
  forgetActors();
}

/** Signals every replica on commit that an actor lost access, so that open streams and long polls are checked again. */
export async function announceAccessEnded(tx: Db): Promise<void> {
  await signalOnCommit(tx, { topic: "access" });
}
