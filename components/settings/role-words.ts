import { type Role, roles } from "@/contracts/permissions";

export const roleNames: Record<Role, string> = { owner: "Owner", admin: "Admin", approver: "Approver", viewer: "Viewer" };

/** Roles as choices; only owners may make owners. */
export function roleChoices(mine: Role | null, had?: Role): { value: Role; label: string; disabled: boolean }[] {
  return roles.map((role) => ({ value: role, label: roleNames[role], disabled: role === "owner" && mine !== "owner" && had !== "owner" }));
}

/** Why somebody's role cannot be changed, or they cannot be removed, by this person; null when they can. */
export function managingRefusal(mine: Role | null, theirs: Role): string | null {
  return theirs === "owner" && mine !== "owner" ? "Only an owner may change or remove an owner." : null;
}
