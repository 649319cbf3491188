import { CronExpressionParser } from "cron-parser";
import type { ScheduleTiming } from "@/contracts/automation/schedules";
import { AppError } from "@/server/platform/errors";

const fieldCount = 5;
const words = new Set("jan feb mar apr may jun jul aug sep oct nov dec sun mon tue wed thu fri sat".split(" "));

/**
 * Returns the first time of a timing after another time; null when there is none. A cron time in the hour that summer time
 * skips runs one hour later, and a daily time in the doubled hour runs once, in the first of the two.
 * @param lastDue the due time before, from which an interval counts on
 * @throws AppError `invalid` for an expression or a zone that nothing can run by
 */
export function nextRun(timing: ScheduleTiming, timezone: string, after: Date, lastDue: Date | null = null): Date | null {
  assertTimezone(timezone);
  switch (timing.kind) {
    case "cron":
      return nextCronTime(timing.expression, timezone, after);
    case "interval":
      return nextIntervalTime(timing.everySeconds * 1_000, after, lastDue ?? after);
    case "once": {
      const at = new Date(timing.at);
      return at > after ? at : null;
    }
  }
}

/** Checks that something can run by a cron expression in a zone. @throws AppError `invalid` */
export function assertCron(expression: string, timezone: string): void {
  nextRun({ kind: "cron", expression }, timezone, new Date(0));
}

/** Returns the next times of a timing, at most `count`. @throws AppError `invalid` */
export function nextRuns(timing: ScheduleTiming, timezone: string, after: Date, count: number): Date[] {
  const times: Date[] = [];
  for (let last: Date | null = after; times.length < count; ) {
    last = nextRun(timing, timezone, last, last);
    if (last === null) break;
    times.push(last);
  }
  return times;
}

/** Keeps the rhythm of an interval: a late run moves no later one. */
function nextIntervalTime(everyMs: number, after: Date, lastDue: Date): Date {
  const missed = Math.max(0, Math.floor((after.getTime() - lastDue.getTime()) / everyMs));
  return new Date(lastDue.getTime() + (missed + 1) * everyMs);
}

function nextCronTime(expression: string, timezone: string, after: Date): Date {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== fieldCount) throw unusable(expression, `it has ${fields.length} fields, and five are needed`);
  const unknown = (expression.match(/[a-z]+/gi) ?? []).find((word) => !words.has(word.toLowerCase()));
  // Signs of other crons (`L`, `#`, `H`, `?`) mean different things in different programs.
  if (unknown !== undefined) throw unusable(expression, `"${unknown}" is no month and no day`);
  const sign = /[^\s\w*,/-]/.exec(expression)?.[0];
  if (sign !== undefined) throw unusable(expression, `"${sign}" is not understood`);
  try {
    return CronExpressionParser.parse(fields.join(" "), { tz: timezone, currentDate: after }).next().toDate();
  } catch (error) {
    throw unusable(
      expression,
      error instanceof Error ? error.message.replace(/^\w/, (letter) => letter.toLowerCase()) : "it cannot be read",
    );
  }
}

function unusable(expression: string, why: string): AppError {
  const message = `The cron expression "${expression.slice(0, 100)}" cannot be used: ${why}. Send five fields: minute, hour, day of month, month, day of week, such as "0 9 * * 1-5".`;
  return new AppError("invalid", message, { errors: [{ path: "timing", message }] });
}

function assertTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    const message = `There is no time zone "${timezone.slice(0, 100)}". Send an IANA name such as Europe/Paris or UTC.`;
    throw new AppError("invalid", message, { errors: [{ path: "timezone", message }] });
  }
}
