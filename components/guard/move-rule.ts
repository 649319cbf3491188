/** The list with one of its members at another place; the same list when that changes nothing. */
export function moveRule<Rule extends { id: string }>(rules: readonly Rule[], id: string, to: number): readonly Rule[] {
  const from = rules.findIndex((rule) => rule.id === id);
  const moved = rules[from];
  const place = Math.max(0, Math.min(rules.length - 1, to));
  if (!moved || from === place) return rules;
  return rules.toSpliced(from, 1).toSpliced(place, 0, moved);
}
