import type { ShellWord } from "../script/words";
import type { Program, ProgramSpec } from "./program";
import { buildPrograms } from "./rows/build";
import { builtinPrograms } from "./rows/builtins";
import { cloudPrograms } from "./rows/cloud";
import { containerPrograms } from "./rows/containers";
import { databasePrograms } from "./rows/databases";
import { filePrograms } from "./rows/files";
import { gitPrograms } from "./rows/git";
import { interpreterPrograms } from "./rows/interpreters";
import { networkPrograms } from "./rows/network";
import { packagePrograms } from "./rows/packages";
import { searchPrograms } from "./rows/search";
import { systemPrograms } from "./rows/system";
import { textPrograms } from "./rows/text";
import { wrapperPrograms } from "./rows/wrappers";

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
