import { type Role, roles } from "@/contracts/browser/permissions";

export const roleNames: Record<Role, string> = { owner: "Owner", admin: "Admin", approver: "Approver", viewer: "Viewer" };

/** Returns the selectable roles; only owners may appoint owners. */
export function roleChoices(mine: Role | null, had?: Role): { value: Role; label: string; disabled: boolean }[] {
  return roles.map((role) => ({ value: role, label: roleNames[role], disabled: role === "owner" && mine !== "owner" && had !== "owner" }));
}

/** Returns why this person may not change or remove a member; null when they may. */
export function managingRefusal(mine: Role | null, theirs: Role): string | null {
  return theirs === "owner" && mine !== "owner" ? "Only an owner may change or remove an owner." : null;
}
