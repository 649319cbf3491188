import { referencePattern } from "@/contracts/messengers/contacts";
import type { MessengerPlatform } from "@/contracts/messengers/messenger-platforms";

const prefixes: Partial<Record<MessengerPlatform, string>> = { telegram: "tg", slack: "slack", discord: "discord" };

/** Writes an address of a platform as texts name it, such as `tg:4711`; null for platforms without such a form. */
export function writtenAddress({ platform, address }: { platform: MessengerPlatform; address: string }): string | null {
  const prefix = prefixes[platform];
  const written = prefix ? `${prefix}:${address}` : "";
  return referencePattern.test(written) ? written : null;
}
