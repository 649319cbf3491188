import { describe, expect, test } from "vitest";
import type { ScheduleTiming } from "@/contracts/automation/schedules";
import { nextRun, nextRuns } from "./next-run";

const cron = (expression: string): ScheduleTiming => ({ kind: "cron", expression });
const times = (timing: ScheduleTiming, zone: string, after: string, count = 3) =>
  nextRuns(timing, zone, new Date(after), count).map((time) => time.toISOString().slice(0, 16));

describe("a cron time", () => {
  test("is the time of its zone, in winter and in summer", () => {
    expect(times(cron("0 9 * * *"), "Europe/Berlin", "2026-03-28T00:00:00Z")).toEqual([
      "2026-03-28T08:00",
      "2026-03-29T07:00",
      "2026-03-30T07:00",
    ]);
  });

  test("in the hour that summer time skips runs an hour later, and once", () => {
    expect(times(cron("30 2 * * *"), "Europe/Berlin", "2026-03-28T12:00:00Z")).toEqual([
      "2026-03-29T01:30",
      "2026-03-30T00:30",
      "2026-03-31T00:30",
    ]);
  });

  test("in the doubled hour runs once when it is daily, and each half hour when it is not", () => {
    expect(times(cron("30 2 * * *"), "Europe/Berlin", "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30", "2026-10-26T01:30"]);
    expect(times(cron("*/30 * * * *"), "Europe/Berlin", "2026-10-25T00:15:00Z", 4)).toEqual([
      "2026-10-25T00:30",
      "2026-10-25T01:00",
      "2026-10-25T01:30",
      "2026-10-25T02:00",
    ]);
  });

  test.each(["* * * * * *", "@daily", "0 0 31 2 *", "60 * * * *", "H * * * *", "0 0 L * *", "0 0 * * 1#2", "0 0 ? * 1", "now"])(
    "%s is refused, saying what to send",
    (expression) => {
      expect(() => nextRun(cron(expression), "UTC", new Date())).toThrow(/cannot be used: .* Send five fields/);
    },
  );

  test("in a zone that nobody knows is refused, naming the field", () => {
    expect(() => nextRun(cron("0 9 * * *"), "Mars/Olympus", new Date())).toThrow(
      expect.objectContaining({ details: { errors: [{ path: "timezone", message: expect.stringContaining("Mars/Olympus") }] } }),
    );
  });
});

test("an interval keeps its rhythm when a run was late, and missed runs become one", () => {
  const hourly: ScheduleTiming = { kind: "interval", everySeconds: 3_600 };
  const due = new Date("2026-01-01T10:00:00Z");
  const next = (now: string) => nextRun(hourly, "UTC", new Date(now), due)?.toISOString();
  expect(next("2026-01-01T10:00:03Z")).toBe("2026-01-01T11:00:00.000Z");
  expect(next("2026-01-01T13:20:00Z")).toBe("2026-01-01T14:00:00.000Z");
});

test("a single time has no next run once it is over", () => {
  const once: ScheduleTiming = { kind: "once", at: "2026-01-01T10:00:00Z" };
  expect(nextRun(once, "UTC", new Date("2026-01-01T09:00:00Z"))?.toISOString()).toBe("2026-01-01T10:00:00.000Z");
  expect(nextRun(once, "UTC", new Date("2026-01-01T10:00:00Z"))).toBeNull();
});
