const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Tolerance within which a filter's start still counts as its range, although time has passed. */
const shownMs = 5 * 60_000;

/** Selectable time ranges, each up to now. */
export const timeRanges = [
  { name: "hour", label: "Last hour", lengthMs: hourMs },
  { name: "today", label: "Today", lengthMs: null },
  { name: "week", label: "Last 7 days", lengthMs: 7 * dayMs },
  { name: "month", label: "Last 30 days", lengthMs: 30 * dayMs },
] as const;

/** Returns the start of a range in local time; null for no range. */
export function rangeStart(name: string | null, now: Date): Date | null {
  const range = timeRanges.find((known) => known.name === name);
  if (!range) return null;
  if (range.lengthMs === null) return new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return new Date(now.getTime() - range.lengthMs);
}

/** Returns the range that a filter was made from, while the filter has no end. */
export function findRange({ from, to }: { from: Date | null; to: Date | null }, now = new Date()): string | null {
  if (!from || to) return null;
  const isAt = (start: Date | null, within: number) => start !== null && Math.abs(start.getTime() - from.getTime()) <= within;
  return timeRanges.find(({ name, lengthMs }) => isAt(rangeStart(name, now), lengthMs === null ? 0 : shownMs))?.name ?? null;
}
