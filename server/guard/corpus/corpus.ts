import { attacks } from "./attacks";
import { compoundCommands } from "./compound-commands";
import type { CorpusGroup } from "./corpus-group";
import { escapeHatches } from "./escape-hatches";
import { everydayCommands } from "./everyday-commands";
import { handedOnCommands } from "./handed-on";
import { hiddenCommands } from "./hidden-commands";
import { shellEscapes } from "./shell-escapes";

/** Commands that the guard is measured with: how agents' allow lists were got around, and what agents run all day. */
export const corpus: readonly CorpusGroup[] = [
  ...compoundCommands,
  ...hiddenCommands,
  ...handedOnCommands,
  ...escapeHatches,
  ...shellEscapes,
  ...attacks,
  ...everydayCommands,
];
