import type { ShellWord } from "../script/words";
import { parseWords } from "./parse-words";
import { databasePrograms } from "./rows/databases";
import { sqlWords } from "./special/databases";

/**
 * Returns the SQL in the words of a database client.
 * @param words the command's arguments, without its name
 */
export function findSqlOperands(name: string, words: readonly string[]): string[] {
  const spec = databasePrograms.find(({ names }) => names.includes(name))?.spec;
  if (!spec) return [];
  const given = words.map((value): ShellWord => ({ text: value, value, certainty: "literal", start: 0, end: 0 }));
  return sqlWords(name, { parsed: parseWords(given, spec) }).map(({ value }) => value);
}
