import type { Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

/** Rows of a list that axe looks at: the ones below are made of the same parts, and earlier journeys leave hundreds. */
const rowsLookedAt = 8;

/**
 * What axe finds wrong with what is open now, a line for each rule that is broken.
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
    // What is right is counted, not described: to name each of those elements takes as long as to find what is wrong.
    resultTypes: ["violations"],
    ...(coloursOnly ? { runOnly: ["color-contrast"] } : {}),
  };
  const violations = await page.evaluate(
    async ([leftOut, how]) => (await (window as unknown as { axe: typeof axe }).axe.run({ exclude: leftOut }, how)).violations,
    [exclude, options] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
