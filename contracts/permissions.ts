import { z } from "zod";

/** What an actor may be allowed to do; API keys carry them as scopes, users through their role. */
export const permissions = [
  "tools:read",
  "tools:write",
  "turns:read",
  "turns:write",
  "guard:read",
  "guard:write",
  "approvals:read",
  "approvals:decide",
  "audit:read",
  "mcp:write",
  "hooks:write",
  "agents:write",
  "admin",
] as const;
export const Permission = z.enum(permissions);
export type Permission = z.infer<typeof Permission>;

export const roles = ["owner", "admin", "approver", "viewer"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

const reading = ["tools:read", "turns:read", "guard:read", "approvals:read", "audit:read"] as const;

export const rolePermissions: Record<Role, readonly Permission[]> = {
  owner: permissions,
  admin: permissions,
  approver: [...reading, "approvals:decide"],
  viewer: reading,
};

/** Holding the left one means holding the right ones too. */
const implied: Partial<Record<Permission, readonly Permission[]>> = {
  "tools:write": ["tools:read"],
  "turns:write": ["turns:read"],
  "guard:write": ["guard:read"],
  "approvals:decide": ["approvals:read"],
  "mcp:write": ["tools:read"],
  "agents:write": ["tools:read"],
  admin: permissions,
};

/** The given permissions and everything that they imply. */
export function withImplied(given: readonly Permission[]): ReadonlySet<Permission> {
  return new Set(given.flatMap((permission) => [permission, ...(implied[permission] ?? [])]));
}
