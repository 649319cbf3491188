import "server-only";
import { LRUCache } from "lru-cache";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { SlidingWindow } from "@/server/platform/sliding-window";

/**
 * Allowed failures per minute. `pair`: an e-mail address from one network address. `address`: a network address, which a
 * whole office may share. `email`: an e-mail address from everywhere; high, because a stranger must not lock out its owner.
 */
const maxFailures = { pair: 5, address: 20, email: 60 };
const maxEntries = 20_000;

/** Attempts that failed or are still running. */
const attempts = () => processWide("auth.signInAttempts", () => new SlidingWindow({ windowMs: 60_000, maxKeys: maxEntries }));
/** Pairs of e-mail and network address that have signed in. The `email` limit does not apply to such a pair. */
const trusted = () => processWide("auth.signedInFrom", () => new LRUCache<string, true>({ max: maxEntries }));

/**
 * Begins a sign-in attempt, unless too many failed in the last minute. The attempt counts as failed from the start, so
 * that a hundred concurrent guesses do not all pass the limit; `succeeded` takes the attempt back.
 *
 * The counts are in the memory of the process, so a failure costs no row. An attacker gets the limit once per replica,
 * which is acceptable because Argon2id is slow and common passwords are refused.
 * @throws AppError `too_many_requests` with the seconds to wait.
 */
export function beginSignIn(email: string, address: string | null, now = Date.now()): { succeeded: () => void } {
  const pair = `${email} from ${address ?? "nowhere"}`;
  const limits = [{ key: pair, most: maxFailures.pair }];
  if (!trusted().has(pair)) limits.push({ key: `email ${email}`, most: maxFailures.email });
  if (address) limits.push({ key: `address ${address}`, most: maxFailures.address });

  const waitMs = Math.max(...limits.map(({ key, most }) => attempts().waitMs(key, most, now)));
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    throw new AppError("too_many_requests", `Too many sign-ins failed. Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds });
  }
  for (const { key } of limits) attempts().add(key, now);
  return {
    succeeded: () => {
      attempts().forget(pair);
      trusted().set(pair, true);
      // Other people share these two counts, so only this attempt is taken back.
      attempts().takeBack(`email ${email}`, now);
      if (address) attempts().takeBack(`address ${address}`, now);
    },
  };
}
