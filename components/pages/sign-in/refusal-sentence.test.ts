import { expect, test } from "vitest";
import { refusalSentence } from "./refusal-sentence";

test("a person who must wait reads for how long", () => {
  expect(refusalSentence("too_many_requests:42")).toBe("Too many failed attempts. Try again in 42 seconds.");
  expect(refusalSentence("too_many_requests:1")).toBe("Too many failed attempts. Try again in 1 second.");
  expect(refusalSentence("too_many_requests")).toContain("Wait a minute");
});

test.each(["Call this number: 555", "constructor", "too_many_requests:soon", ""])("text from a link (%j) is never shown", (refusal) => {
  expect(refusalSentence(refusal)).not.toContain(refusal || "undefined");
});
