import { expect, test } from "vitest";
import { nearestName } from "./nearest-name";

const known = ["query", "target", "mode", "path", "glob", "ignoreCase", "contextLines", "maxResults", "runInBackground"];

test.each([
  ["output_mode", "mode"],
  ["IgnoreCase", "ignoreCase"],
  ["ignorecase", "ignoreCase"],
  ["qeury", "query"],
  ["paths", "path"],
  ["background", "runInBackground"],
  ["run_in_background", "runInBackground"],
  ["context", "contextLines"],
])("%s was meant to be %s", (written, meant) => {
  expect(nearestName(written, known)).toBe(meant);
});

test.each(["pty", "run_in_subtask", "x", "", "__proto__", "constructor", "💥"])("nothing is near %s", (written) => {
  expect(nearestName(written, known)).toBeNull();
});
