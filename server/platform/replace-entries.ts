/**
 * Replaces entries of an ordered list by their ids. Replacements for all entries set a new order; fewer leave each entry in its
 * place.
 */
export function replaceEntries<T extends { id: string }>(entries: readonly T[], replacements: readonly T[]): T[] {
  if (replacements.length === entries.length) return [...replacements];
  return entries.map((entry) => replacements.find(({ id }) => id === entry.id) ?? entry);
}
