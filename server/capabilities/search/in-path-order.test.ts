import { expect, test } from "vitest";
import { comparePaths, inPathOrder, type Order } from "./in-path-order";

const never = new AbortController().signal;

async function ordered(print: (order: Order) => AsyncIterable<{ path: string; line: number }>) {
  const found: string[] = [];
  for await (const { path, line } of inPathOrder(print, never)) found.push(`${path}:${line}`);
  return found;
}

test("results of a search by several threads come in the order of paths, and those of one file in their own", async () => {
  const runs: Order[] = [];
  const found = await ordered(async function* (order) {
    runs.push(order);
    for (const [path, line] of [
      ["b", 1],
      ["b", 2],
      ["a-b", 1],
      ["a/c", 7],
      ["a/c", 9],
    ] as const)
      yield { path, line };
  });
  expect(found).toEqual(["a/c:7", "a/c:9", "a-b:1", "b:1", "b:2"]);
  expect(runs).toEqual([[]]);
});

test("too many results are searched again in order, and none is lost", async () => {
  const runs: Order[] = [];
  const found = await ordered(async function* (order) {
    runs.push(order);
    for (let line = 0; line < 3_000; line += 1) yield { path: "a", line };
  });
  expect(found).toHaveLength(3_000);
  expect(runs).toEqual([[], ["--sort", "path"]]);
});

test("paths are compared name by name, by their bytes", () => {
  const paths = ["b", "a/z", "a.txt", "a", "a-b", "a/é", "a/😀", "a/\uFF5E"];
  expect(paths.toSorted(comparePaths)).toEqual(["a", "a/z", "a/é", "a/\uFF5E", "a/😀", "a-b", "a.txt", "b"]);
});
