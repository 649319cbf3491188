import "server-only";
import { eq } from "drizzle-orm";
import type { SignInMethod } from "@/contracts/identity/identity";
import { users } from "@/db/schema";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import type { Person } from "./find-person";
import { beginSession } from "./sessions";
import { passwordFingerprint, type UserClaims } from "./user-claims";

/** Method, network address and request id of a sign-in. */
export type SignInWay = { method: SignInMethod; address: string | null; requestId: string | null };

/** Records the sign-in of an authenticated person, and returns the claims for a token or session. */
export async function signInPerson(person: Person, { method, address, requestId }: SignInWay): Promise<UserClaims> {
  const session = await db().transaction(async (tx) => {
    await tx.update(users).set({ lastSignInAt: sharedNow() }).where(eq(users.id, person.id));
    await record(tx, {
      workspaceId: person.workspaceId,
      event: "user.signed_in",
      actor: { type: "user", id: person.id, name: person.name },
      subject: person.email,
      data: { method, address },
      requestId,
    });
    return beginSession(tx, { workspaceId: person.workspaceId, userId: person.id, method });
  });
  return { sub: person.id, workspace: person.workspaceId, password: passwordFingerprint(person.passwordHash), session };
}
