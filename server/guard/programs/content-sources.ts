import type { CallFileRole } from "@/contracts/calls/call-contents";
import { locatePath, type PathContext } from "../paths/locate-path";
import type { ShellWord } from "../script/words";
import { folderAt } from "../script/working-folder";

/** A file, or several, whose content decides what a command does. */
export type ContentSource = {
  as: CallFileRole;
  /**
   * Relative to the conversation's folder, or absolute; a glob stands for the files that match, a folder for everything in
   * it. Null when the path is known only when the command runs.
   */
  path: string | null;
  /** The words that name the source, for people. */
  named: string;
  /** The program looks for the file by itself, also in the folders above, and needs none. */
  isDefault?: true;
  /** A folder holds data of the program, such as a volume, and is not hashed. */
  isData?: true;
  /** The path is a folder of git, of whose settings only the places of its remotes count. */
  part?: "remotes";
};

/** Further facts that a program states of a source. */
export type SourceFacts = Pick<ContentSource, "isData" | "isDefault" | "part">;

/** Returns the source that a word names. */
export function sourceOfWord(
  as: CallFileRole,
  word: Pick<ShellWord, "value" | "certainty" | "text">,
  folder: string | null,
  surroundings: PathContext,
  more: SourceFacts = {},
): ContentSource {
  const { path, where } = locatePath(word, folder, surroundings);
  const isKnown = path !== undefined && !(where === "not_known" && folder === null && !path.startsWith("/"));
  return { as, path: isKnown ? path : null, named: word.text || word.value, ...more };
}

/** Returns the sources that a program looks for in its working folder. */
export function defaultSources(names: string, folder: string | null, program: string): ContentSource[] {
  if (folder === null) return [{ as: "configures", path: null, named: `the folder in which ${program} runs` }];
  return names.split(" ").map((name) => ({ as: "configures", path: folderAt(name, folder), named: name, isDefault: true }));
}
