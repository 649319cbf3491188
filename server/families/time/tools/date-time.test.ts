import { describe, expect, onTestFinished, test, vi } from "vitest";
import { toolContext } from "@/server/testing/tool-context";
import { dateTime, localIsoSeconds } from "./date-time";

describe("the time of a zone", () => {
  const instant = new Date("2026-04-11T18:30:22.987Z");

  test.each([
    ["UTC", "2026-04-11T18:30:22"],
    ["America/New_York", "2026-04-11T14:30:22"],
    ["Asia/Shanghai", "2026-04-12T02:30:22"],
    ["Asia/Kolkata", "2026-04-12T00:00:22"],
    ["Asia/Kathmandu", "2026-04-12T00:15:22"],
    ["Pacific/Kiritimati", "2026-04-12T08:30:22"],
    ["europe/paris", "2026-04-11T20:30:22"],
    ["+05:30", "2026-04-12T00:00:22"],
  ])("in %s is %s", (timezone, expected) => {
    expect(localIsoSeconds(instant, timezone)).toBe(expected);
  });

  test("at midnight is hour 00 of the new day", () => {
    expect(localIsoSeconds(new Date("2026-01-01T00:00:00Z"), "UTC")).toBe("2026-01-01T00:00:00");
  });

  test("jumps when summer time begins", () => {
    expect(localIsoSeconds(new Date("2026-03-29T00:59:59Z"), "Europe/Berlin")).toBe("2026-03-29T01:59:59");
    expect(localIsoSeconds(new Date("2026-03-29T01:00:00Z"), "Europe/Berlin")).toBe("2026-03-29T03:00:00");
  });

  test.each(["Mars/Olympus", "", "New York", "UTC+2", "x".repeat(90), "America/New_York\0"])(
    "in %j is refused, saying what to send",
    (zone) => {
      expect(() => localIsoSeconds(instant, zone)).toThrow(/There is no time zone .*Send an IANA name such as/);
    },
  );
});

test("the tool answers the time now, in UTC unless told otherwise", async () => {
  vi.useFakeTimers({ now: new Date("2026-04-11T14:30:22Z"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const ask = async (args: Record<string, string>) => {
    const parsed = dateTime.parse(args);
    if (!parsed.ok) throw new Error(parsed.message);
    return dateTime.run(parsed.value, toolContext());
  };
  expect(await ask({})).toBe("2026-04-11T14:30:22");
  expect(await ask({ timezone: "Asia/Tokyo" })).toBe("2026-04-11T23:30:22");
  expect(await ask({ tz: "Asia/Tokyo" })).toBe("2026-04-11T23:30:22");
});
