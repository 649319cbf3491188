import type { User } from "@/contracts/identity/identity";
import type { Role } from "@/contracts/permissions";
import type { users } from "@/db/schema";

/** Converts a member's rows to the public form, without the password's hash. No other code publishes the rows. */
export function presentUser(user: typeof users.$inferSelect, role: Role): User {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role,
    createdAt: user.createdAt.toISOString(),
    lastSignInAt: user.lastSignInAt?.toISOString() ?? null,
  };
}
