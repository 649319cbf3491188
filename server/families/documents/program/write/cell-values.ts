const months = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

/** Order of day and month in dates with slashes. */
export type DayOrder = "day-first" | "month-first";
export type CellDate = { at: Date; format: string };

const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Finds the order of day and month from a column: a number above 12 is a day. Null when no date tells, or they disagree. */
export function dayOrderOf(texts: readonly string[]): DayOrder | null {
  const orders = new Set<DayOrder>();
  for (const text of texts) {
    const [, first = "", second = ""] = slashed.exec(text.trim()) ?? [];
    if (Number(first) > 12) orders.add("day-first");
    if (Number(second) > 12) orders.add("month-first");
  }
  const [order] = orders;
  return orders.size === 1 && order ? order : null;
}

/**
 * Reads a date as people write it, with the format that shows it the same way; null for text, for days that are none, for
 * days before those of spreadsheets, and for dates with slashes in an unknown order.
 */
export function dateOf(text: string, order: DayOrder | null): CellDate | null {
  const iso = /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?$/.exec(text);
  if (iso) {
    const [, year, line, month, day, hours, minutes, seconds] = iso;
    const format = `yyyy${line}mm${line}dd${hours ? ` hh:mm${seconds ? ":ss" : ""}` : ""}`;
    return dated([year, month, day, hours, minutes, seconds].map(Number), format);
  }
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text);
  if (dotted) return dated([dotted[3], dotted[2], dotted[1]].map(Number), /^\d\d\.\d\d/.test(text) ? "dd.mm.yyyy" : "d.m.yyyy");
  const lines = slashed.exec(text);
  if (lines && order) {
    const [, first, second, year] = lines;
    const isPadded = first?.length === 2 && second?.length === 2;
    const [day, month] = order === "day-first" ? [first, second] : [second, first];
    const parts = isPadded ? ["dd", "mm"] : ["d", "m"];
    return dated([year, month, day].map(Number), [...(order === "day-first" ? parts : parts.reverse()), "yyyy"].join("\\/"));
  }
  const named = /^(\d{1,2})\.? (\p{L}{3,9})\.?,? (\d{4})$/u.exec(text);
  if (named) return withMonth(named[3], named[2], named[1], (form) => `d ${form} yyyy`);
  const american = /^(\p{L}{3,9})\.? (\d{1,2}),? (\d{4})$/u.exec(text);
  return american ? withMonth(american[3], american[1], american[2], (form) => `${form} d, yyyy`) : null;
}

function withMonth(year: string | undefined, month = "", day: string | undefined, format: (form: string) => string): CellDate | null {
  const wanted = month.toLowerCase();
  const at = months.findIndex((name) => name === wanted || name.slice(0, 3) === wanted);
  if (at < 0) return null;
  return dated([Number(year), at + 1, Number(day)], format(wanted.length === 3 && wanted !== "may" ? "mmm" : "mmmm"));
}

function dated([year = 0, month = 0, day = 0, hours, minutes, seconds]: readonly number[], format: string): CellDate | null {
  const at = new Date(Date.UTC(year, month - 1, day, hours || 0, minutes || 0, seconds || 0));
  // The constructor takes the 30th of February for a day in March.
  const isDay = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day && (hours || 0) < 24;
  return isDay && at.getTime() >= Date.UTC(1900, 2, 1) && year < 10_000 ? { at, format } : null;
}

/** Reads a number as people write it; null for text, and for numbers that a spreadsheet would change: 007, 20 digits. */
export function numberOf(text: string): { value: number; format?: string } | null {
  const [, sign = "", whole = "", fraction = "", percent] = /^(-?)(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,15})?(\s?%)?$/.exec(text) ?? [];
  if (whole === "" || (/^0\d/.test(whole) && whole.length > 1)) return null;
  const digits = whole.replaceAll(",", "");
  if (digits.length + fraction.length > 16) return null;
  const value = Number(`${sign}${digits}${fraction}`);
  const decimals = "0".repeat(Math.max(0, fraction.length - 1));
  if (percent) return { value: value / 100, format: `0${decimals ? `.${decimals}` : ""}%` };
  // The cell shows as many decimals as were written: 987.10 and not 987.1.
  if (whole.includes(",")) return { value, format: `#,##0${decimals ? `.${decimals}` : ""}` };
  return decimals ? { value, format: `0.${decimals}` } : { value };
}
