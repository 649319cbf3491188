import { expect, test } from "vitest";
import { windowAt } from "./use-row-window";

test("the rows in view are always drawn, and few more, wherever a list of thousands is scrolled to", () => {
  for (let scrollTop = 0; scrollTop < 5_000 * 40; scrollTop += 333) {
    const { first, last } = windowAt(scrollTop, 600, 40);
    expect(first).toBeLessThanOrEqual(Math.floor(scrollTop / 40));
    expect(last).toBeGreaterThanOrEqual(Math.ceil((scrollTop + 600) / 40));
    expect(last - first).toBeLessThan(50);
  }
});
