/** Escapes `%`, `_` and `\`, because LIKE gives these characters a meaning. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** Returns a LIKE pattern for values that contain the text. */
export function containsPattern(text: string): string {
  return `%${escapeLike(text)}%`;
}
