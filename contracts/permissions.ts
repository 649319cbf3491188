import { z } from "zod";
import { declaredRolePermissions, impliedPermissions, permissions } from "./generated";

/** Rights to one kind of action each: API keys carry them as scopes, users through their role. */
export { permissions };
export const Permission = z.enum(permissions);
export type Permission = z.infer<typeof Permission>;

export const roles = ["owner", "admin", "approver", "viewer"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

export const rolePermissions: Record<Role, readonly Permission[]> = {
  owner: permissions,
  admin: permissions,
  ...declaredRolePermissions,
};

/** Permissions implied by each permission. */
const implied: Partial<Record<Permission, readonly Permission[]>> = { ...impliedPermissions, admin: permissions };

/** Returns the given permissions and all that they imply. */
export function withImplied(given: readonly Permission[]): ReadonlySet<Permission> {
  return new Set(given.flatMap((permission) => [permission, ...(implied[permission] ?? [])]));
}
