import { LRUCache } from "lru-cache";
import { z } from "zod";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";

export const dateTime = defineTool({
  name: "date_time",
  title: "Date and time",
  description:
    "The current local date and time of a time zone, to the second, without an offset: 2026-04-11T14:30:22. UTC when no timezone is given.",
  family: "time",
  tier: "core",
  effect: "read",
  needs: [],
  names: {
    aliases: ["DateTimeTool", "now", "getCurrentDateTime", "getCurrentDate", "getCurrentTime", "current_time"],
    parameterAliases: { tz: "timezone", timeZone: "timezone", time_zone: "timezone", zone: "timezone" },
  },
  primaryArgument: "timezone",
  recovery: {
    // The tool counts as idempotent: its result differs a second later, but a repetition changes nothing.
    idempotent: true,
  },
  input: z.object({
    timezone: z.string().max(100).default("UTC").describe("IANA name, such as America/New_York or Asia/Shanghai"),
  }),
  async execute({ timezone }) {
    return localIsoSeconds(sharedNow(), timezone);
  },
});

/** Cached, because creating a format costs a hundred times as much as using one; there are about 600 zones. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 });

/** @throws AppError `invalid` for an unknown time zone. */
export function localIsoSeconds(instant: Date, timezone: string): string {
  if (timezone === "UTC") return instant.toISOString().slice(0, "2026-04-11T14:30:22".length);
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const date = [parts.get("year")?.padStart(4, "0"), parts.get("month"), parts.get("day")].join("-");
  const time = [parts.get("hour"), parts.get("minute"), parts.get("second")].join(":");
  return `${date}T${time}`;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const format = makeFormat(timezone);
  formats.set(timezone, format);
  return format;
}

function makeFormat(timezone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch {
    throw new AppError(
      "invalid",
      `There is no time zone "${timezone}". Send an IANA name such as Europe/Paris, America/New_York, Asia/Shanghai or UTC.`,
    );
  }
}
