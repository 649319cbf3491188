import type { MessengerPlatform } from "@/contracts/messenger-platforms";

/** Tells a chat why there is no answer. Visitors of a website are strangers: settings and providers are no business of theirs. */
export const failureWords = (platform: MessengerPlatform, reason: string): string =>
  platform === "website" ? "⚠️ There is no answer at present. Please try again later." : `⚠️ ${reason}`;
