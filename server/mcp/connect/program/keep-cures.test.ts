import { expect, test } from "vitest";
import { addCures, curesAfterStart, lackingCures, replaceStartCures } from "./keep-cures";

const read = (path: string) => ({ kind: "read" as const, path });
const reach = (host: string) => ({ kind: "reach" as const, host });
const nothing = { allowedHosts: [], readablePaths: [], outsideSandbox: false };

test("a server keeps the cures of several failed calls, each once and the newest first, at most eight", () => {
  const kept = addCures(addCures([], [read("/a"), reach("db:5432")]), [read("/b"), read("/a")]);
  expect(kept).toEqual([read("/b"), read("/a"), reach("db:5432")]);
  const many = Array.from({ length: 20 }, (_, index) => read(`/${index}`));
  expect(addCures(kept, many)).toEqual(many.slice(0, 8));
});

test("a start that succeeds takes its own cures away, and leaves those of calls until the settings allow them", () => {
  const kept = replaceStartCures(replaceStartCures([reach("db:5432"), read("/a")], [read("/old")]), [read("/new")]);
  expect(kept).toEqual([{ ...read("/new"), ofStart: true }, reach("db:5432"), read("/a")]);
  expect(curesAfterStart(kept, nothing)).toEqual([reach("db:5432"), read("/a")]);
  expect(curesAfterStart(kept, { ...nothing, readablePaths: ["/a"] })).toEqual([reach("db:5432")]);
  expect(curesAfterStart(kept, { ...nothing, outsideSandbox: true })).toEqual([]);
  expect(lackingCures(kept, { ...nothing, allowedHosts: ["db:5432"], readablePaths: ["/new"] })).toEqual([read("/a")]);
});
