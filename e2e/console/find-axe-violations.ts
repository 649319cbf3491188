import type { Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

/** Rows of a list that axe looks at: the ones below are made of the same parts, and earlier journeys leave hundreds. */
const rowsLookedAt = 8;

/**
 * Lists the violations that axe finds on the open page, a line for each broken rule.
 * @param coloursOnly for a page that was looked at in other colours: measures contrast and nothing else
 * @param without selectors of what it does not look at
 */
export async function findAxeViolations(
  page: Page,
  { coloursOnly = false, without = [] }: { coloursOnly?: boolean; without?: string[] } = {},
) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const exclude = [...without, ...["li", "tr"].map((row) => `main ${row}:nth-child(n+${rowsLookedAt + 1})`)];
  const options: RunOptions = {
    // Passed checks are only counted, because describing each element doubles the time.
    resultTypes: ["violations"],
    ...(coloursOnly ? { runOnly: ["color-contrast"] } : {}),
  };
  const violations = await page.evaluate(
    async ([leftOut, how]) => (await (window as unknown as { axe: typeof axe }).axe.run({ exclude: leftOut }, how)).violations,
    [exclude, options] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
