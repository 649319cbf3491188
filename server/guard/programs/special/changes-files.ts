import { isGiven } from "../given-options";
import type { EffectSink } from "../program";

/** Builds the effects of a formatter or checker: it reads its operands, and changes them with one of these options. */
export function changesFiles(options: string): (act: EffectSink) => void {
  return ({ parsed, role }) => {
    const isChanging = isGiven(parsed, options);
    for (const word of parsed.operands) role(isChanging ? "changes" : "reads", word, true);
  };
}
