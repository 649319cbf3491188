import { findOptionValues } from "../given-options";
import type { EffectSink } from "../program";

/** Reads the file in `--from-file=name=path`. */
export function readsFiles({ parsed, role }: EffectSink): void {
  for (const value of findOptionValues(parsed, "--from-file")) role("configures", { ...value, value: value.value.replace(/^[^=]*=/, "") });
}

/** Adds the folder or archive of `helm upgrade name ./chart`; a bare name is a chart of a repository. */
export function namesChart({ parsed, role }: EffectSink): void {
  for (const word of parsed.operands) if (/^\.{0,2}\/|^\.$|\.tgz$/.test(word.value)) role("configures", word, true);
}
