import { expect, test } from "vitest";
import { BoundedLog } from "./bounded-log";

test("a log keeps its beginning and its end, and says how much is missing", () => {
  const log = new BoundedLog();
  for (let index = 0; index < 400; index++) log.append(`${String(index).padStart(999, "0")}\n`);
  const text = log.since(0);
  expect(text.length).toBeLessThan(150_000);
  expect(text).toMatch(/^0{999}\n/);
  expect(text.endsWith("399\n")).toBe(true);
  const missing = Number(/\[\.\.\. ([\d,]+) characters left out/.exec(text)?.[1]?.replaceAll(",", ""));
  expect(missing + text.replace(/\n\[\.\.\..*\]\n/, "").length).toBe(400_000);
  expect(log.since(399_990)).toBe("000000399\n".slice(-10));
});
