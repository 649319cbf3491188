import { expect, test } from "vitest";
import type { GuardDetector } from "@/contracts/guard/guard";
import { toDetectorFamilies } from "./detector-families";

const detector = (id: string, title: string): GuardDetector => ({
  ...{ id, title, severity: "high", explanation: "It is dangerous.", fix: "Do not.", relaxable: true, floor: false, enabled: true },
  ownVerdict: "require_approval",
  verdict: "require_approval",
});
const all = [detector("workspace.escape", "Outside"), detector("file.sensitive", "Sensitive file"), detector("sql.drop", "SQL: DROP")];

test("detectors stand under the heading of their family, in their order", () => {
  expect(toDetectorFamilies(all, "").map(({ heading, detectors }) => [heading, detectors.map(({ id }) => id)])).toEqual([
    ["Files and folders", ["workspace.escape", "file.sensitive"]],
    ["Databases", ["sql.drop"]],
  ]);
});

test("a search finds every word, in any order and case, and keeps no empty heading", () => {
  expect(toDetectorFamilies(all, "drop  SQL").map(({ heading }) => heading)).toEqual(["Databases"]);
  expect(toDetectorFamilies(all, "nothing like it")).toEqual([]);
});

test("a family that has no heading yet stands under Other", () => {
  expect(toDetectorFamilies([detector("new.kind", "New")], "")[0]?.heading).toBe("Other");
});
