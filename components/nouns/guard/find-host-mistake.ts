import { AllowedHost } from "@/contracts/guard/allowed-host";

const most = 200;

/** Returns why a list of allowed hosts cannot be saved: the first invalid entry, and its correction; null when all are valid. */
export function findHostMistake(entries: readonly string[]): string | null {
  if (entries.length > most) return `At most ${most} hosts. Use *.example.com for all names below one.`;
  for (const entry of entries) {
    const parsed = AllowedHost.safeParse(entry);
    if (!parsed.success) return `${entry}: ${parsed.error.issues[0]?.message ?? "this is not a host"}.`;
  }
  return null;
}
