import "server-only";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";

const windowMs = 60_000;
/** Failures a minute for one e-mail address, and for one network address, which a whole office may share. */
const mostFailures = { email: 5, address: 20 };
const mostEntries = 20_000;

/** When each attempt was made that failed, or that has not ended yet. */
type Attempts = Map<string, number[]>;
const attempts = () => processWide<Attempts>("auth.signInAttempts", () => new Map());

/**
 * Lets a sign-in be tried, unless too many failed in the last minute. The attempt counts from the start, so that a
 * hundred guesses at once are not a hundred guesses; call `succeeded` to take it back.
 *
 * Kept in the memory of the process: a guesser who finds several replicas gets five guesses a minute from each, which
 * Argon2id and a password of twelve characters bear, and a failure costs no row.
 * @throws AppError `too_many_requests` with the seconds to wait.
 */
export function beginSignIn(email: string, address: string | null, now = Date.now()): { succeeded: () => void } {
  const limits = [{ key: `email ${email}`, most: mostFailures.email }];
  if (address) limits.push({ key: `address ${address}`, most: mostFailures.address });

  const waitMs = Math.max(...limits.map(({ key, most }) => waitOf(key, most, now)));
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    throw new AppError("too_many_requests", `Too many sign-ins failed. Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds });
  }
  for (const { key } of limits) attempts().set(key, [...recent(key, now), now]);
  forgetOld(now);
  return {
    succeeded: () => {
      attempts().delete(`email ${email}`);
      // Somebody with an account of their own must not be able to wipe the count of the address.
      if (address) takeBack(`address ${address}`, now);
    },
  };
}

function waitOf(key: string, most: number, now: number): number {
  const earlier = recent(key, now);
  const deciding = earlier.at(-most);
  return deciding === undefined ? 0 : deciding + windowMs - now;
}

function recent(key: string, now: number): number[] {
  return (attempts().get(key) ?? []).filter((at) => at > now - windowMs);
}

function takeBack(key: string, at: number): void {
  const times = attempts().get(key) ?? [];
  const index = times.indexOf(at);
  if (index >= 0) attempts().set(key, times.toSpliced(index, 1));
}

function forgetOld(now: number): void {
  if (attempts().size <= mostEntries) return;
  for (const key of attempts().keys()) if (recent(key, now).length === 0) attempts().delete(key);
  // Still too many: the longest unchanged go first, as a Map keeps the order of insertion.
  for (const key of attempts().keys()) {
    if (attempts().size <= mostEntries) return;
    attempts().delete(key);
  }
}
