const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const yearFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/**
 * Formats the distance of a time from now in its largest useful unit; from a week on as a date. Milliseconds.
 * @param isAhead the time of something to come, which is never "just now"
 */
export function relativeTime(time: number, now: number, isAhead = false): string {
  const distance = Math.abs(now - time);
  if (distance < 10 * second) return isAhead ? "in a moment" : "just now";
  if (distance >= 7 * day) return (distance < 300 * day ? dayFormat : yearFormat).format(time);
  const words = inUnits(distance);
  return time > now ? `in ${words}` : `${words} ago`;
}

function inUnits(distance: number): string {
  if (distance < minute) return `${Math.floor(distance / second)} s`;
  if (distance < hour) return `${Math.floor(distance / minute)} min`;
  if (distance < day) return `${Math.floor(distance / hour)} h`;
  return `${Math.floor(distance / day)} d`;
}
