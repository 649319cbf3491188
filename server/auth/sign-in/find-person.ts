import "server-only";
import { asc, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { memberships, users } from "@/db/schema";

/** A user who may sign in, with the workspace that the user joined first. */
export type Person = { id: string; email: string; name: string; passwordHash: string | null; workspaceId: string };

/** Finds a person by e-mail address; null when the address is unknown or the person belongs to no workspace. */
export async function findPerson(tx: Db, email: string): Promise<Person | null> {
  const [person] = await tx
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      passwordHash: users.passwordHash,
      workspaceId: memberships.workspaceId,
    })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(eq(users.email, email.toLowerCase()))
    .orderBy(asc(memberships.createdAt), asc(memberships.workspaceId))
    .limit(1);
  return person ?? null;
}
