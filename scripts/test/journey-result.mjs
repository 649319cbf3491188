/**
 * Counts and names of a report that Playwright's JSON reporter wrote.
 *
 * @param {unknown} report null where the run left none
 * @returns {Omit<import("./step-result.mjs").StepResult, "title" | "seconds">}
 */
export function journeyResult(report) {
  if (!report?.stats) return { passed: 0, failed: ["The journeys ended before they could report."] };
  const result = { passed: 0, failed: [], secondTries: [] };
  for (const error of report.errors ?? []) result.failed.push(firstLine(error.message ?? "an error outside of all journeys"));
  for (const { name, status } of journeys(report.suites ?? [])) {
    if (status === "expected") result.passed += 1;
    else if (status === "flaky") result.secondTries.push(name);
    // A journey that was skipped has shown nothing.
    else result.failed.push(status === "skipped" ? `${name} (skipped)` : name);
  }
  if (result.passed === 0 && result.failed.length === 0) result.failed.push("No journey ran, so this shows nothing.");
  return result;
}

function* journeys(suites, above = "") {
  for (const suite of suites) {
    const place = above === "" ? suite.title : `${above}: ${suite.title}`;
    for (const spec of suite.specs ?? []) for (const test of spec.tests) yield { name: `${place}: ${spec.title}`, status: test.status };
    yield* journeys(suite.suites ?? [], place);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are control characters
const firstLine = (text) => text.replaceAll(/\u001b\[[0-9;]*m/g, "").split("\n")[0];
