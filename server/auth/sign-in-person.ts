import "server-only";
import { eq } from "drizzle-orm";
import { users } from "@/db/schema";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database";
import type { Person } from "./find-person";
import { markOfPassword, type UserClaims } from "./user-claims";

/** How and from where somebody signs in. */
export type SignInWay = { method: "console" | "token" | "provider"; address: string | null; requestId: string | null };

/** Records the sign-in of a person who proved who they are, and gives the claims for a token or session. */
export async function signInPerson(person: Person, { method, address, requestId }: SignInWay): Promise<UserClaims> {
  await db().transaction(async (tx) => {
    await tx.update(users).set({ lastSignInAt: new Date() }).where(eq(users.id, person.id));
    await record(tx, {
      workspaceId: person.workspaceId,
      event: "user.signed_in",
      actor: { type: "user", id: person.id, name: person.name },
      subject: person.email,
      data: { method, address },
      requestId,
    });
  });
  return { sub: person.id, workspace: person.workspaceId, password: markOfPassword(person.passwordHash) };
}
