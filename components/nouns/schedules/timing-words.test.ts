import { expect, test } from "vitest";
import { timingWords } from "./timing-words";

test.each([
  [{ kind: "interval", everySeconds: 60 }, "every minute"],
  [{ kind: "interval", everySeconds: 5_400 }, "every 90 minutes"],
  [{ kind: "interval", everySeconds: 172_800 }, "every 2 days"],
  [{ kind: "interval", everySeconds: 61 }, "every 61 seconds"],
  [{ kind: "once", at: "2026-01-01T00:00:00Z" }, "once"],
  [{ kind: "cron", expression: "5 9 * * *" }, "daily at 09:05"],
  [{ kind: "cron", expression: "0 9 * * 1-5" }, "weekdays at 09:00"],
  [{ kind: "cron", expression: "15 * * * *" }, "hourly at minute 15"],
  [{ kind: "cron", expression: "*/5 9 * * *" }, "*/5 9 * * *"],
  [{ kind: "cron", expression: "0 9 1 * *" }, "0 9 1 * *"],
] as const)("%j reads as %s", (timing, words) => {
  expect(timingWords(timing)).toBe(words);
});
