const daySeconds = 86_400;

/** Formats the start of a bucket for an axis, in the reader's time zone: "14:00", "Mon 18:00", "23 Nov". */
export function bucketWords(at: string, bucketSeconds: number, timeZone?: string): string {
  const moment = new Date(at);
  const zone = timeZone ? { timeZone } : {};
  if (bucketSeconds >= daySeconds) return new Intl.DateTimeFormat("en-GB", { ...zone, day: "numeric", month: "short" }).format(moment);
  const time = new Intl.DateTimeFormat("en-GB", { ...zone, hour: "2-digit", minute: "2-digit" }).format(moment);
  if (bucketSeconds <= 3_600) return time;
  return `${new Intl.DateTimeFormat("en-GB", { ...zone, weekday: "short" }).format(moment)} ${time}`;
}
