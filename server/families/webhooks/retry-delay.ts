const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds before each further try: a bit less than a day in all. */
const delaysMs = [
  10 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
] as const;

/** The most tries of a delivery. */
export const maxAttempts = delaysMs.length + 1;

/**
 * Returns the milliseconds until the next try; null after the last try. Varies by a tenth, so that a recovered receiver
 * does not get everything at the same moment.
 * @param attempts tries so far
 * @param random 0 to 1
 */
export function retryDelayMs(attempts: number, random: number): number | null {
  const delay = delaysMs[attempts - 1];
  return delay === undefined ? null : Math.round(delay * (0.9 + random * 0.2));
}
