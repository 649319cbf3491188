import type { Permission } from "@/contracts/permissions";

/** What each scope lets a key do. */
export const scopeWords: Record<Permission, string> = {
  "tools:read": "See tools, MCP servers and agents",
  "tools:write": "Switch tools and move them between the tiers",
  "turns:read": "Read conversations and turns",
  "turns:write": "Open conversations and submit turns",
  "guard:read": "Read guard rules and try calls against them",
  "guard:write": "Change guard rules and the default policy",
  "approvals:read": "See what waits for an approval",
  "approvals:decide": "Approve and reject",
  "audit:read": "Read and export the audit",
  "mcp:write": "Add, change and remove MCP servers",
  "hooks:write": "Change hooks and webhooks, read what was delivered",
  "agents:write": "Change agents",
  admin: "Everything, and members and keys too",
};

export type Preset = { value: string; label: string; description: string; scopes: readonly Permission[] };

/** What keys are usually made for. */
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

/** The preset that these scopes are; null when they were picked one by one. */
export function presetOf(scopes: readonly Permission[]): Preset | null {
  return presets.find((preset) => preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope))) ?? null;
}
