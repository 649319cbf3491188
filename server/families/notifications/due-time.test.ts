import { expect, test } from "vitest";
import { dueTime, type Timing } from "./due-time";

const choice = (values: Partial<Timing>): Timing => ({ email: "at_once", digestMinutes: 15, quietHours: null, timeZone: "UTC", ...values });
const at = (text: string) => new Date(text);

test.each([
  ["2026-01-10T12:00:00Z", "2026-01-10T12:00:00Z", "by day at once"],
  ["2026-01-10T21:30:00Z", "2026-01-11T06:00:00Z", "at night at the end of the quiet hours, in the person's time zone"],
  ["2026-01-10T05:59:00Z", "2026-01-10T06:00:00Z", "before the end of the night at its end"],
  ["2026-01-10T06:00:00Z", "2026-01-10T06:00:00Z", "at the very end at once"],
  ["2026-03-29T00:30:00Z", "2026-03-29T05:00:00Z", "in the night of the change to summer time an hour earlier"],
])("a notification of %s is sent at %s: %s", (now, due) => {
  const berlin = choice({ quietHours: { from: "22:00", until: "07:00" }, timeZone: "Europe/Berlin" });
  expect(dueTime("push", berlin, at(now))).toEqual(at(due));
});

test("a digest waits for its minutes, and for the end of quiet hours that begin meanwhile; other ways do not wait for the digest", () => {
  const digest = choice({ email: "digest", digestMinutes: 30, quietHours: { from: "22:00", until: "07:00" } });
  expect(dueTime("email", digest, at("2026-01-10T12:00:00Z"))).toEqual(at("2026-01-10T12:30:00Z"));
  expect(dueTime("email", digest, at("2026-01-10T21:45:00Z"))).toEqual(at("2026-01-11T07:00:00Z"));
  expect(dueTime("push", digest, at("2026-01-10T12:00:00Z"))).toEqual(at("2026-01-10T12:00:00Z"));
});
