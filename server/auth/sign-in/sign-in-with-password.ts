import "server-only";
import { asc } from "drizzle-orm";
import { workspaces } from "@/db/schema";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findPerson, type Person } from "./find-person";
import { verifyPassword } from "./password";
import { beginSignIn } from "./sign-in-limit";
import { type SignInWay, signInPerson } from "./sign-in-person";
import type { UserClaims } from "./user-claims";

/**
 * Signs a person in with a password, both for tokens and for the console.
 * @throws AppError `wrong_credentials`, the same for a wrong password and an unknown address, or `too_many_requests`.
 */
export async function signInWithPassword(
  { email, password }: { email: string; password: string },
  way: SignInWay,
): Promise<{ person: Person; claims: UserClaims }> {
  const attempt = beginSignIn(email, way.address);
  const person = await findPerson(db(), email);
  if (!(await verifyPassword(person?.passwordHash ?? null, password)) || !person) {
    await recordFailure(email, person, way);
    throw new AppError("wrong_credentials", "The email address or the password is not right. Check both and try again.");
  }
  attempt.succeeded();
  return { person, claims: await signInPerson(person, way) };
}

/** Records a failed sign-in. An unknown person's attempt goes to the first workspace, whose owners run the installation. */
async function recordFailure(email: string, person: Person | null, { method, address, requestId }: SignInWay): Promise<void> {
  const workspaceId = person?.workspaceId ?? (await firstWorkspaceId());
  if (!workspaceId) return;
  await record(db(), {
    workspaceId,
    event: "user.sign_in_failed",
    actor: person ? { type: "user", id: person.id, name: person.name } : { type: "user", id: "unknown", name: "Unknown person" },
    subject: email,
    data: { method, address, known: person !== null },
    requestId,
  });
}

async function firstWorkspaceId(): Promise<string | null> {
  const [first] = await db().select({ id: workspaces.id }).from(workspaces).orderBy(asc(workspaces.createdAt), asc(workspaces.id)).limit(1);
  return first?.id ?? null;
}
