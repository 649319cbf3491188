/**
 * Bounds how fast something is taken in: answers for how many milliseconds to take nothing more, 0 while what came stays
 * below a burst and the rate after it.
 */
export function makePace({ burst, perSecond }: { burst: number; perSecond: number }): (amount: number) => number {
  let level = 0;
  let last = performance.now();
  return (amount) => {
    const now = performance.now();
    level = Math.max(0, level - ((now - last) * perSecond) / 1_000) + amount;
    last = now;
    return level > burst ? Math.ceil(((level - burst) / perSecond) * 1_000) : 0;
  };
}
