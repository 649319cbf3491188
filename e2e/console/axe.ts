import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Rows of a list that axe looks at: the ones below are made of the same parts, and earlier journeys leave hundreds. */
const rowsLookedAt = 8;

/**
 * What axe finds wrong with what is open now, a line for each rule that is broken.
 * @param colours whether contrast is measured, which takes most of the time and does not change with the width
 */
export async function foundByAxe(page: Page, { colours = true }: { colours?: boolean } = {}): Promise<string[]> {
  // Otherwise it opens a page of its own each time, to put together what it found in frames; there are none here.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  for (const row of ["li", "tr"]) axe.exclude(`main ${row}:nth-child(n+${rowsLookedAt + 1})`);
  if (!colours) axe.disableRules("color-contrast");
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
