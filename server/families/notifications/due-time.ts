import { CronExpressionParser } from "cron-parser";
import type { MailTiming, NotificationChannel } from "@/contracts/notifications/notifications";

export type Timing = {
  email: MailTiming;
  digestMinutes: number;
  quietHours: { from: string; until: string } | null;
  timeZone: string;
};

const minuteMs = 60_000;

/** Returns when a notification of now is sent: at once, with the digest, or at the end of the quiet hours. */
export function dueTime(channel: NotificationChannel, { email, digestMinutes, quietHours, timeZone }: Timing, now: Date): Date {
  const due = channel === "email" && email === "digest" ? new Date(now.getTime() + digestMinutes * minuteMs) : now;
  return quietHours ? endOfQuiet(due, quietHours, timeZone) : due;
}

/** The hours are quiet when their end comes before their next beginning. */
function endOfQuiet(at: Date, { from, until }: { from: string; until: string }, timeZone: string): Date {
  const end = next(until, at, timeZone);
  return end < next(from, at, timeZone) ? end : at;
}

function next(time: string, after: Date, tz: string): Date {
  const [hours, minutes] = time.split(":").map(Number);
  return CronExpressionParser.parse(`${minutes} ${hours} * * *`, { currentDate: after, tz }).next().toDate();
}
