import fc from "fast-check";
import { expect, test } from "vitest";
import { ToolName } from "@/contracts/tools/tools";
import { nameTools } from "./tool-names";

const namesOf = (alias: string, ...raws: string[]) => Object.fromEntries(nameTools(alias, raws));

test("a tool is called by its server's alias, two underscores and its own name", () => {
  expect(namesOf("fs", "read_file", "list-directory")).toEqual({ read_file: "fs__read_file", "list-directory": "fs__list-directory" });
});

test("characters that models refuse become underscores, and a name stays as it is while nobody else wants it", () => {
  expect(namesOf("web", "get.weather", "Größe")).toEqual({ "get.weather": "web__get_weather", Größe: "web__Gr__e" });
});

test("two names that clean to one keep both tools, each with a suffix of its own", () => {
  const names = namesOf("web", "get.weather", "get weather");
  expect(names["get.weather"]).toMatch(/^web__get_weather_[a-z2-7]{6}$/);
  expect(names["get weather"]).toMatch(/^web__get_weather_[a-z2-7]{6}$/);
  expect(names["get.weather"]).not.toBe(names["get weather"]);
});

test("a name that needs no change keeps it, and the one that would take it gets the suffix", () => {
  const names = namesOf("web", "get.weather", "get_weather");
  expect(names.get_weather).toBe("web__get_weather");
  expect(names["get.weather"]).toMatch(/^web__get_weather_[a-z2-7]{6}$/);
});

test("names of eighty characters are cut to sixty-four and stay apart", () => {
  const long = "x".repeat(79);
  const names = namesOf("fs", `${long}a`, `${long}b`);
  for (const name of Object.values(names)) expect(name).toMatch(/^fs__x+_[a-z2-7]{6}$/);
  expect(new Set(Object.values(names)).size).toBe(2);
  expect(namesOf("fs", `${long}a`)[`${long}a`]).toBe(`fs__${"x".repeat(60)}`);
});

test("a server cannot take the name of another server's tool by starting with an underscore", () => {
  const one = new Set(nameTools("a", ["_x", "__x", "x"]).values());
  const other = new Set(nameTools("a_", ["x", "_x"]).values());
  expect([...one].filter((name) => other.has(name))).toEqual([]);
});

test("a name of nothing but strange characters is still callable", () => {
  expect(namesOf("fs", "☃")["☃"]).toBe("fs__tool");
});

test("whatever a server lists, in whatever order: every tool has one valid name of its own", () => {
  const raw = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("a.b", "a_b", "a b", "_a_b", "x".repeat(80), `${"x".repeat(80)}y`),
  );
  fc.assert(
    fc.property(fc.uniqueArray(raw, { maxLength: 40 }), (raws) => {
      const names = nameTools("fs", raws);
      expect(names.size).toBe(raws.length);
      expect(new Set(names.values()).size).toBe(raws.length);
      for (const name of names.values()) expect(ToolName.safeParse(name).success).toBe(true);
      expect(new Map([...nameTools("fs", raws.toReversed())].sort())).toEqual(new Map([...names].sort()));
    }),
  );
});
