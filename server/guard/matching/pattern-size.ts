import type { RE2JS } from "re2js";

/** Maximum number of instructions of a pattern; a counted repetition adds its instructions as often as it may repeat. */
const maxProgramSize = 2_048;

/** Explains that a pattern is too large and what to do; null when it is small enough. */
export function sizeMistake(pattern: RE2JS): string | null {
  const size = pattern.programSize();
  if (size <= maxProgramSize) return null;
  const [is, most] = [size, maxProgramSize].map((count) => count.toLocaleString("en"));
  return `The pattern is too large: ${is} instructions, where ${most} are the most. To fix it: let its repetitions count to less.`;
}
