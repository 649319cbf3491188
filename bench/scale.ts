const scale = Number(process.env.BENCH_SCALE ?? 1);
if (!(scale > 0 && scale <= 10)) throw new Error("BENCH_SCALE must be a number above 0, at most 10; 1 is the whole bench");

/** Whether this is the whole bench; a smaller one is named as a trial, because its figures say little about the targets. */
export const isWhole = scale >= 1;

/** A number of things to do, made smaller for a trial run by BENCH_SCALE. */
export const scaled = (count: number, atLeast = 1): number => Math.max(atLeast, Math.round(count * scale));

/** How long one round of load lasts. */
export const roundSeconds = Math.max(0.3, 3 * scale);
