import type { ScheduleTiming } from "@/contracts/automation/schedules";

const units = [
  { seconds: 86_400, one: "day", many: "days" },
  { seconds: 3_600, one: "hour", many: "hours" },
  { seconds: 60, one: "minute", many: "minutes" },
  { seconds: 1, one: "second", many: "seconds" },
] as const;

const clock = /^\d{1,2}$/;

/** Describes a timing: "every 2 hours", "daily at 09:00", or the cron expression itself. */
export function timingWords(timing: ScheduleTiming): string {
  switch (timing.kind) {
    case "interval":
      return `every ${inUnits(timing.everySeconds)}`;
    case "once":
      return "once";
    case "cron":
      return cronWords(timing.expression);
  }
}

function inUnits(seconds: number): string {
  const unit = units.find((candidate) => seconds % candidate.seconds === 0) ?? units[3];
  const count = seconds / unit.seconds;
  return count === 1 ? unit.one : `${count} ${unit.many}`;
}

function cronWords(expression: string): string {
  const [minute = "", hour = "", day, month, weekday] = expression.split(/\s+/);
  if (day !== "*" || month !== "*" || !clock.test(minute)) return expression;
  const at = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (hour === "*" && weekday === "*") return `hourly at minute ${Number(minute)}`;
  if (!clock.test(hour)) return expression;
  if (weekday === "*") return `daily at ${at}`;
  return weekday === "1-5" ? `weekdays at ${at}` : expression;
}
