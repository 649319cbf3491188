import type { User } from "@/contracts/identity";
import type { Role } from "@/contracts/permissions";
import type { users } from "@/db/schema";

/** The one place where a member's rows become public: the password's hash stays behind. */
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
