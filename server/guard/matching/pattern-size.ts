import type { RE2JS } from "re2js";

/** Instructions of a pattern at most: a repetition counts as often as it may repeat. */
const maxProgramSize = 2_048;

/** What is wrong with a pattern that is too large to be used, and what to do; null when it is not. */
export function sizeMistake(pattern: RE2JS): string | null {
  const size = pattern.programSize();
  if (size <= maxProgramSize) return null;
  const [is, most] = [size, maxProgramSize].map((count) => count.toLocaleString("en"));
  return `The pattern is too large: ${is} instructions, where ${most} are the most. To fix it: let its repetitions count to less.`;
}
