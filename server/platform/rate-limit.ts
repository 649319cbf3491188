/**
 * Makes a leaky bucket. The function adds an amount and returns the milliseconds to pause; 0 while the level stays within
 * the burst.
 */
export function makeRateLimit({ burst, perSecond }: { burst: number; perSecond: number }): (amount: number) => number {
  let level = 0;
  let last = performance.now();
  return (amount) => {
    const now = performance.now();
    level = Math.max(0, level - ((now - last) * perSecond) / 1_000) + amount;
    last = now;
    return level > burst ? Math.ceil(((level - burst) / perSecond) * 1_000) : 0;
  };
}
