import type { McpServerRow } from "./server-settings";

/** The settings by which an admin trusts a server and says what to expect of it. */
export type PinSettings = Pick<McpServerRow, "trustHints" | "expectedTools" | "expectedVersion" | "packageDigest">;

export function pinSettings({ trustHints, expectedTools, expectedVersion, packageDigest }: PinSettings): PinSettings {
  return { trustHints, expectedTools, expectedVersion, packageDigest };
}
