import { expect, test } from "vitest";
import { findHostMistake } from "./find-host-mistake";

test("hosts that can be allowed are no mistake", () => {
  expect(findHostMistake([])).toBeNull();
  expect(findHostMistake(["registry.npmjs.org", "*.example.com", "10.0.0.5:8080"])).toBeNull();
});

test("the first entry that is no host is named with what to write", () => {
  const sentence = "https://b.example/: write the host alone, without https://, user or path.";
  expect(findHostMistake(["a.example", "https://b.example/", "c d"])).toBe(sentence);
});

test("more hosts than fit are too many", () => {
  const hosts = Array.from({ length: 201 }, (_, place) => `h${place}.example.com`);
  expect(findHostMistake(hosts)).toBe("At most 200 hosts. Use *.example.com for all names below one.");
});
