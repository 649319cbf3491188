import "server-only";
import { sql } from "drizzle-orm";
import type { repeatUnits } from "@/contracts/conversations/todos";
import type { Db } from "@/db/client";
import { AppError } from "@/server/platform/errors";

type Repeat = { repeatUnit: (typeof repeatUnits)[number]; repeatEvery: number };
const maxDays = 366;
const maxHours = 24 * 366;
const hourMs = 3_600_000;

/** Reads `daily`, `weekly`, `every N days` or `every N hours`. @throws AppError `invalid` */
export function readRepeat(words: string): Repeat {
  const text = words.trim().toLowerCase();
  if (text === "daily") return { repeatUnit: "day", repeatEvery: 1 };
  if (text === "weekly") return { repeatUnit: "day", repeatEvery: 7 };
  const [, count = "", unit] = /^every (\d{1,4}) (day|hour)s?$/.exec(text) ?? [];
  const every = Number(count);
  if (unit === "day" && every >= 1 && every <= maxDays) return { repeatUnit: "day", repeatEvery: every };
  if (unit === "hour" && every >= 1 && every <= maxHours) return { repeatUnit: "hour", repeatEvery: every };
  throw new AppError("invalid", `invalid repeat: ${words.slice(0, 50)}. Send daily, weekly, every N days or every N hours.`);
}

/** Returns the moment of a wall clock's time. @throws AppError `invalid` for a zone or a time that does not exist */
export async function momentOf(tx: Pick<Db, "execute">, wallTime: string, timezone: string): Promise<Date> {
  assertTimezone(timezone);
  const [date = "", time = ""] = wallTime.trim().split(" ");
  const isTime = /^\d{4}-\d{2}-\d{2}$/.test(date) && /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
  const utc = new Date(`${date}T${time}:00Z`);
  if (!isTime || Number.isNaN(utc.getTime()) || utc.toISOString().slice(0, 10) !== date) {
    throw new AppError("invalid", `invalid next: ${wallTime.slice(0, 50)}. Send a time as YYYY-MM-DD HH:mm, such as 2027-01-31 09:00.`);
  }
  const [row] = await tx.execute<{ ms: number }>(
    sql`select (extract(epoch from ${`${date} ${time}`}::timestamp at time zone ${timezone}) * 1000)::float8 as ms`,
  );
  if (!row) throw new Error("the database did not tell the moment");
  return new Date(row.ms);
}

/** Returns the first time after `now` in the rhythm. Days keep the wall clock's time when summer time begins or ends. */
export async function laterTime(
  tx: Pick<Db, "execute">,
  { nextAt, repeatUnit, repeatEvery, timezone }: Repeat & { nextAt: Date; timezone: string },
  now: Date,
): Promise<Date> {
  const stepMs = repeatEvery * (repeatUnit === "hour" ? hourMs : 24 * hourMs);
  const missed = Math.max(0, Math.floor((now.getTime() - nextAt.getTime()) / stepMs));
  if (repeatUnit === "hour") return new Date(nextAt.getTime() + (missed + 1) * stepMs);
  // A day of summer time's end is longer, so the count of missed days may be one too small.
  for (let steps = missed; ; steps += 1) {
    const days = steps * repeatEvery;
    const [row] = await tx.execute<{ ms: number }>(
      sql`select (extract(epoch from ((${nextAt.toISOString()}::timestamptz at time zone ${timezone}) + make_interval(days => ${days})) at time zone ${timezone}) * 1000)::float8 as ms`,
    );
    if (row && row.ms > Math.max(now.getTime(), nextAt.getTime())) return new Date(row.ms);
  }
}

function assertTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw new AppError("invalid", `There is no time zone "${timezone.slice(0, 100)}". Send an IANA name such as Europe/Paris or UTC.`);
  }
}
