import { type MessengerPlatform, platformFacts } from "@/contracts/messengers/messenger-platforms";

/** Tells a chat why there is no answer; strangers without the reason, which may name settings and providers. */
export const failureWords = (platform: MessengerPlatform, reason: string): string =>
  platformFacts[platform].isVisited ? "⚠️ There is no answer at present. Please try again later." : `⚠️ ${reason}`;
