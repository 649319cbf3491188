/** Returns words as a sentence lists them: `a`, `b` or `c`, each as code. */
export function orList(words: readonly string[]): string {
  const all = words.map((word) => `\`${word}\``);
  const last = all.pop() ?? "";
  return all.length > 0 ? `${all.join(", ")} or ${last}` : last;
}
