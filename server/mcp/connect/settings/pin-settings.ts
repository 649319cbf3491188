import type { mcpServers } from "@/db/schema";

/** The settings by which an admin trusts a server and says what to expect of it. */
export type PinSettings = Pick<
  typeof mcpServers.$inferSelect,
  "trustHints" | "allowSampling" | "offerContents" | "expectedTools" | "expectedVersion" | "packageDigest"
>;

export function pinSettings(settings: PinSettings): PinSettings {
  const { trustHints, allowSampling, offerContents, expectedTools, expectedVersion, packageDigest } = settings;
  return { trustHints, allowSampling, offerContents, expectedTools, expectedVersion, packageDigest };
}
