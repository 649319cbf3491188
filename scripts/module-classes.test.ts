import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const sources = globSync(["app/**/*.tsx", "components/**/*.tsx"]);
const moduleImport = /import (\w+) from "([^"]+\.module\.css)";/g;

/** Classes that a module defines, and names that are given on by `composes`. */
function definedIn(file: string): Set<string> {
  return new Set([...readFileSync(file, "utf8").matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = ""]) => name));
}

/** Every `classes.name` and `classes["name"]` of a component, with the module that should define it. */
const uses = sources.flatMap((source) => {
  const text = readFileSync(source, "utf8");
  return [...text.matchAll(moduleImport)].flatMap(([, variable = "", from = ""]) => {
    const module = from.startsWith("@/") ? from.slice(2) : path.join(path.dirname(source), from);
    const pattern = new RegExp(`(?<![\\w.])${variable}(?:\\.(\\w+)|\\["([\\w-]+)"\\])`, "g");
    return [...text.replace(moduleImport, "").matchAll(pattern)].map(([, dotted, quoted]) => ({
      source,
      module,
      name: dotted ?? quoted ?? "",
    }));
  });
});

test("every class that a component uses stands in its CSS module", () => {
  const modules = new Map([...new Set(uses.map(({ module }) => module))].map((module) => [module, definedIn(module)]));
  const undefinedClasses = uses.filter(({ module, name }) => !modules.get(module)?.has(name));
  expect(undefinedClasses.map(({ source, name }) => `${source}: ${name}`)).toEqual([]);
  // A check that looked at nothing proves nothing.
  expect(uses.length).toBeGreaterThan(500);
});
