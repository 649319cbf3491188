import { isGiven } from "./given-options";
import type { Act } from "./program";

/** Builds the effects of a formatter or checker: it reads its operands, and changes them with one of these options. */
export function changesFiles(options: string): (act: Act) => void {
  return ({ parsed, role }) => {
    const isChanging = isGiven(parsed, options);
    for (const word of parsed.operands) role(isChanging ? "changes" : "reads", word, true);
  };
}
