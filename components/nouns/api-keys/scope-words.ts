import type { Permission } from "@/contracts/permissions";

export type Preset = { value: string; label: string; description: string; scopes: readonly Permission[] };

/** Scopes for common uses of keys. */
export const presets: readonly Preset[] = [
  {
    value: "runtime",
    label: "Agent runtime",
    description: "Lists tools, submits calls, reads results",
    scopes: ["turns:write", "tools:read"],
  },
  {
    value: "reader",
    label: "Reading",
    description: "Sees everything, changes nothing",
    scopes: ["tools:read", "turns:read", "guard:read", "approvals:read", "audit:read"],
  },
  { value: "approver", label: "Approvals", description: "Answers approvals from another program", scopes: ["approvals:decide"] },
  { value: "admin", label: "Admin", description: "Everything, for scripts that configure", scopes: ["admin"] },
];

/** Returns the preset with exactly these scopes; null for a custom selection. */
export function findPreset(scopes: readonly Permission[]): Preset | null {
  return presets.find((preset) => preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope))) ?? null;
}
