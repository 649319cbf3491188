const intervalMs = 10_000;

/**
 * Says every ten seconds that a long step still goes on.
 *
 * @param {string} doing such as "installing"
 * @param {(line: string) => void} say
 * @returns {() => number} ends it, and answers the seconds that the step took
 */
export function showProgress(doing, say = console.log) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1_000);
  const timer = setInterval(() => say(`  still ${doing}, ${seconds()} s so far`), intervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return seconds();
  };
}
