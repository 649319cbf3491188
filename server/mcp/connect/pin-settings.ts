import type { mcpServers } from "@/db/schema";

/** The settings by which an admin trusts a server and says what to expect of it. */
export type PinSettings = Pick<typeof mcpServers.$inferSelect, "trustHints" | "expectedTools" | "expectedVersion" | "packageDigest">;

export function pinSettings({ trustHints, expectedTools, expectedVersion, packageDigest }: PinSettings): PinSettings {
  return { trustHints, expectedTools, expectedVersion, packageDigest };
}
