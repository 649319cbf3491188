import type { ShellWord } from "../script/words";
import { buildPrograms } from "./build";
import { builtinPrograms } from "./builtins";
import { cloudPrograms } from "./cloud";
import { containerPrograms } from "./containers";
import { databasePrograms } from "./databases";
import { filePrograms } from "./files";
import { gitPrograms } from "./git";
import { interpreterPrograms } from "./interpreters";
import { networkPrograms } from "./network";
import { packagePrograms } from "./packages";
import type { Program, ProgramSpec } from "./program";
import { searchPrograms } from "./search";
import { systemPrograms } from "./system";
import { textPrograms } from "./text";
import { wrapperPrograms } from "./wrappers";

/**
 * The program table: every program that the guard knows, with the meaning of its words. All readers of effects share
 * the table.
 */
export const programs: readonly Program[] = [
  ...builtinPrograms,
  ...wrapperPrograms,
  ...filePrograms,
  ...searchPrograms,
  ...textPrograms,
  ...gitPrograms,
  ...interpreterPrograms,
  ...packagePrograms,
  ...buildPrograms,
  ...networkPrograms,
  ...containerPrograms,
  ...cloudPrograms,
  ...databasePrograms,
  ...systemPrograms,
];

const byName: ReadonlyMap<string, ProgramSpec> = new Map(programs.flatMap(({ names, spec }) => names.map((name) => [name, spec] as const)));
const versioned = /^(?<name>python|pip|node|ruby|perl|php|lua|gcc|g\+\+|clang|clang\+\+|java|psql|pg_dump|sqlite)[\d.-]+$/;
const installed = /^\/(?:usr\/|opt\/homebrew\/)?(?:local\/)?s?bin\/(?<name>[^/]+)$/;
/** Scripts that a framework puts into each folder: they take the tasks of the program of that name. */
const ofFramework = /^(?:\.\/)?(?:bin\/)?(?<name>rails|rake|manage\.py|artisan|gradlew|mvnw)$/;

/** Finds a program's spec by its name, or by its path in a folder for installed programs; null for an unknown program. */
export function findProgram(name: string, certainty: ShellWord["certainty"]): ProgramSpec | null {
  if (certainty !== "literal") return null;
  const plain = (installed.exec(name) ?? ofFramework.exec(name))?.groups?.name ?? name;
  return byName.get(plain) ?? byName.get(versioned.exec(plain)?.groups?.name ?? "") ?? null;
}
