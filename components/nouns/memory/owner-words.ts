import type { MemoryOwnerCount } from "@/contracts/memory/memory";

type Place = { scope: "PERSONAL" | "TEAM" | "GLOBAL"; ownerKey: string | null };

/** Names an owner for people: a person's name, an end user of an API caller, or schedules. */
export function ownerWord(ownerKey: string, owners: readonly MemoryOwnerCount[]): string {
  const name = owners.find((owner) => owner.ownerKey === ownerKey)?.name;
  if (name) return name;
  if (ownerKey === "system") return "Schedules";
  return ownerKey.startsWith("api:") ? `End user ${ownerKey.slice(4)}` : ownerKey;
}

/** Says who reads a memory. */
export function placeWord({ scope, ownerKey }: Place, owners: readonly MemoryOwnerCount[]): string {
  if (scope === "GLOBAL") return "All agents of the workspace";
  return scope === "TEAM" || ownerKey === null ? "All who use the agent" : ownerWord(ownerKey, owners);
}
