import { expect, test } from "vitest";
import { leftReferences } from "./left-references";

test("the references of every program's form are named once, and escaped ones are none", () => {
  const config = JSON.stringify({
    a: "Bearer ${GITHUB_TOKEN}",
    b: "${input:WEB_KEY}",
    c: "${env:WEB_KEY}",
    d: "$${HOME}",
    e: "$HOME",
  });
  expect(leftReferences(config)).toEqual(["GITHUB_TOKEN", "WEB_KEY"]);
  expect(leftReferences("{}")).toEqual([]);
});
