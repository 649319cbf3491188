import type { RunningCommand } from "../shell/running-commands";
import { systemFolderOf } from "./system-folders";

const deleters = new Set(["rm", "grm", "srm", "rimraf"]);

/** What a command deletes with everything in it, when that is the root, a home or a system folder. */
export function deletesSystemFolder({ name, words, folder }: RunningCommand): string | null {
  const args = words.slice(1);
  const targets = deleters.has(name) ? deletedByRm(name, args) : name === "find" ? deletedByFind(args) : [];
  return targets.map((target) => systemFolderOf(target, folder)).find((found) => found !== null) ?? null;
}

function deletedByRm(name: string, args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const options = args.filter((word, index) => word.startsWith("-") && (end < 0 || index < end));
  const recursive =
    name === "rimraf" || options.some((option) => (option.startsWith("--") ? isLongRecursive(option) : /[rR]/.test(option)));
  return recursive ? args.filter((word, index) => !word.startsWith("-") || (end >= 0 && index > end)) : [];
}

/** Long options may be shortened: --recursive, --recur, --r. */
function isLongRecursive(option: string): boolean {
  return option.length > 2 && "--recursive".startsWith(option);
}

/** What leaves the choice of files as wide as it was; any other test narrows it. */
const widening = /^(-delete|-depth|-d|-xdev|-mount|-mindepth|-type|-print0?|-o|-or|-a|-and|-exec|-execdir|\(|\)|!)$/;

/** Where `find` starts when it deletes all that it finds. */
function deletedByFind(args: readonly string[]): readonly string[] {
  const paths = args.filter((word) => !/^-[HLPDO]/.test(word));
  const firstTest = paths.findIndex((word) => /^[-(!]/.test(word));
  if (firstTest < 0) return [];
  const tests = paths.slice(firstTest);
  const action = tests.findIndex((word) => word === "-exec" || word === "-execdir");
  const deletes = tests.includes("-delete") || (action >= 0 && deleters.has(tests[action + 1]?.split("/").at(-1) ?? ""));
  const narrowed = (action < 0 ? tests : tests.slice(0, action)).some((word) => word.startsWith("-") && !widening.test(word));
  return deletes && !narrowed ? paths.slice(0, firstTest) : [];
}
