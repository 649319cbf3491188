/**
 * What one step of `npm test` or `npm run check` came to.
 *
 * @typedef {object} StepResult
 * @property {string} title
 * @property {number} seconds
 * @property {number} passed tests that passed at the first try
 * @property {string[]} failed names of the tests that failed, or one sentence when the step failed otherwise
 * @property {string[]} [secondTries] names of the tests that passed at the second try; among neither `passed` nor `failed`
 */

/**
 * Runs a step and takes its time. An error that the step throws is its failure.
 *
 * @param {string} title
 * @param {() => Omit<StepResult, "title" | "seconds"> | Promise<Omit<StepResult, "title" | "seconds">>} perform
 * @returns {Promise<StepResult>}
 */
export async function timeStep(title, perform) {
  const startedAt = performance.now();
  let result;
  try {
    result = await perform();
  } catch (error) {
    result = { passed: 0, failed: [error instanceof Error ? error.message : String(error)] };
  }
  return { title, seconds: (performance.now() - startedAt) / 1_000, ...result };
}

/**
 * The end of a run in words: the seconds of each step, then one list of what failed, then the totals.
 *
 * @param {string} command such as `npm test`
 * @param {StepResult[]} steps
 * @param {number} seconds of the whole run, in which steps may run beside one another
 * @returns {{ text: string, passed: number, failed: number, secondTries: number }} `passed` counts first tries only
 */
export function summarise(command, steps, seconds) {
  const passed = steps.reduce((sum, step) => sum + step.passed, 0);
  const failed = steps.reduce((sum, step) => sum + step.failed.length, 0);
  const secondTries = steps.reduce((sum, step) => sum + (step.secondTries?.length ?? 0), 0);
  const lines = steps.map(
    (step) => `${step.failed.length === 0 ? "good  " : "FAILED"} ${step.seconds.toFixed(0).padStart(5)} s  ${step.title}`,
  );
  for (const { title, failed: names, secondTries = [] } of steps) {
    if (names.length > 0) lines.push("", `Failed under "${title}":`, ...names.map((name) => `  ${name}`));
    if (secondTries.length > 0)
      lines.push("", `Passed only at the second try under "${title}":`, ...secondTries.map((name) => `  ${name}`));
  }
  const unsure = secondTries === 0 ? "everything is good" : `NOT sure: ${secondTries} passed only at the second try`;
  const verdict = failed === 0 ? unsure : `NOT good: ${failed} failed`;
  lines.push("", `${command}: ${verdict} (${seconds.toFixed(0)} s)`);
  return { text: lines.join("\n"), passed, failed, secondTries };
}
