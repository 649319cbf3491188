import { attacks } from "./attacks";
import { byEffect } from "./by-effect";
import { compoundCommands } from "./compound-commands";
import type { CorpusGroup } from "./corpus-group";
import { handedOnCommands } from "./delegated-commands";
import { escapeHatches } from "./escape-hatches";
import { everydayCommands } from "./everyday-commands";
import { hiddenCommands } from "./hidden-commands";
import { shellEscapes } from "./shell-escapes";

/** The commands that the guard is measured with: known bypasses of agents' allow lists, and everyday commands of agents. */
export const corpus: readonly CorpusGroup[] = [
  ...compoundCommands,
  ...hiddenCommands,
  ...handedOnCommands,
  ...escapeHatches,
  ...shellEscapes,
  ...attacks,
  ...byEffect,
  ...everydayCommands,
];
