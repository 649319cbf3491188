import type { ShellWord } from "../script/words";
import type { ParsedWords } from "./program";

/**
 * Returns whether one of these options is given.
 * @param names names of options, separated by spaces
 */
export function isGiven({ options }: ParsedWords, names: string): boolean {
  const wanted = names.split(" ");
  return options.some(({ name }) => wanted.includes(name));
}

/** Returns the values of these options, one for each time they are given. */
export function findOptionValues({ options }: ParsedWords, names: string): ShellWord[] {
  const wanted = names.split(" ");
  return options.flatMap(({ name, value }) => (value && wanted.includes(name) ? [value] : []));
}
