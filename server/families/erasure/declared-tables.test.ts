import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { isTextDeclaration } from "@/db/personal-text";
import * as schema from "@/db/schema";
import { actorColumnNames } from "./actor-names";

const tables = Object.values(schema).filter((value) => is(value, PgTable));
const nameOf = (table: PgTable) => getTableConfig(table).name;
const declarations = Object.values(schema).filter(isTextDeclaration);
const declared = new Set(
  declarations.flatMap(({ goes, family, stays }) => [...goes.map(({ table }) => table), ...family, ...stays]).map(nameOf),
);

/** Rows that a row of one of these takes along. */
const takers = new Set(["conversations", "contacts", "memory_files"]);

function isTakenAlong(table: PgTable, seen = new Set<string>()): boolean {
  if (seen.has(nameOf(table))) return false;
  const deeper = new Set([...seen, nameOf(table)]);
  return getTableConfig(table).foreignKeys.some(({ onDelete, reference }) => {
    const target = reference().foreignTable;
    return onDelete === "cascade" && (takers.has(nameOf(target)) || isTakenAlong(target, deeper));
  });
}

test("every table declares where text of persons lies in it, or goes with a conversation", () => {
  expect(tables.length).toBeGreaterThan(80);
  const missing = tables.filter((table) => !declared.has(nameOf(table)) && !isTakenAlong(table)).map(nameOf);
  expect(missing, "declare these with declareText in their file of db/schema").toEqual([]);
});

test("a table with a column of a conversation goes with it or is declared to go", () => {
  const going = new Set(declarations.flatMap(({ goes }) => goes.map(({ table }) => nameOf(table))));
  const own = new Set(declarations.flatMap(({ family }) => family.map(nameOf)));
  const kept = tables.filter((table) => {
    const hasColumn = getTableConfig(table).columns.some(({ name }) => /^conversation_?id$/i.test(name));
    return hasColumn && !going.has(nameOf(table)) && !own.has(nameOf(table)) && !isTakenAlong(table);
  });
  expect(kept.map(nameOf)).toEqual([]);
});

test("every column of an actor has a name by which an erasure finds it", () => {
  const folder = path.resolve(import.meta.dirname, "../../../db/schema");
  const texts = globSync("**/*.ts", { cwd: folder }).map((file) => readFileSync(path.join(folder, file), "utf8"));
  const columns = texts.flatMap((text) => [...text.matchAll(/(\w+): jsonb\(\)\.\$type<ActorRef>\(\)/g)].map(([, name = ""]) => name));
  expect(columns.length).toBeGreaterThan(25);
  const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(columns.filter((name) => !actorColumnNames.has(snake(name)))).toEqual([]);
});
