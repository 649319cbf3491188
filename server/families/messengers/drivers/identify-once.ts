import type { Account } from "./driver";

type Bot = NonNullable<Account["bot"]>;

/** Returns the account's bot, by whose id and name mentions are recognised; asks the platform until it answers once. */
export function identifyOnce({ bot }: Account, identify: () => Promise<Bot>): () => Promise<Bot> {
  let known: Promise<Bot> | null = bot ? Promise.resolve(bot) : null;
  return () => {
    known ??= identify().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}
