/** Moves a member of a list to another place; returns the same list when nothing changes. */
export function moveItem<Item extends { id: string }>(items: readonly Item[], id: string, to: number): readonly Item[] {
  const from = items.findIndex((item) => item.id === id);
  const moved = items[from];
  const place = Math.max(0, Math.min(items.length - 1, to));
  if (!moved || from === place) return items;
  return items.toSpliced(from, 1).toSpliced(place, 0, moved);
}
