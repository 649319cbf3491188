import { format, getFormatDateInfo, isDateFormat } from "numfmt";

/** Shows the number of a cell, which is given as the file writes it. */
export type NumberFormat = (written: string) => string;

const dates = "yyyy-mm-dd";
const times = "h:mm:ss";

/**
 * Formats by number, as files name them without a pattern. What a built-in format writes depends on the language of the
 * program, so a date has our form. Formats of money have no sign here, because the file does not say which.
 */
const builtIn = new Map<number, string>([
  [9, "0%"],
  [10, "0.00%"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  ...range(14, 17).map((id) => [id, dates] as const),
  ...range(18, 21).map((id) => [id, times] as const),
  [22, `${dates} ${times}`],
  ...range(27, 31).map((id) => [id, dates] as const),
  ...range(32, 33).map((id) => [id, times] as const),
  // A time of day in Chinese programs, a month in Japanese and Korean ones: the value decides.
  ...[34, 35, 55, 56].map((id) => [id, `${dates} ${times}`] as const),
  [36, dates],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss.0"],
  ...range(50, 54).map((id) => [id, dates] as const),
  ...range(57, 58).map((id) => [id, dates] as const),
  [67, "0%"],
  [68, "0.00%"],
  [69, "# ?/?"],
  [70, "# ??/??"],
  ...range(71, 74).map((id) => [id, dates] as const),
  ...range(75, 76).map((id) => [id, times] as const),
  [77, `${dates} ${times}`],
  [78, "mm:ss"],
  [79, "[h]:mm:ss"],
  [80, "mm:ss.0"],
  [81, dates],
]);

export type NumberFormatOptions = { startsIn1904: boolean };

/** Returns the format of a style. `pattern` is the one that the file declares for this number, if it does. */
export function numberFormat(id: number, pattern: string | undefined, options: NumberFormatOptions): NumberFormat {
  const code = pattern ?? builtIn.get(id);
  if (code === undefined || code.length > 255) return plainNumber;
  try {
    if (isElapsed(code)) return (written) => duration(written, code);
    if (isDateFormat(code)) return dateFormat(code, options);
    const shown = numberPattern(code);
    return (written) => decorated(written, (value) => format(shown, value));
  } catch {
    // Files hold patterns that no program understands, and their numbers all the same.
    return plainNumber;
  }
}

/** Shows a number with the 15 digits that spreadsheets have: 0.1 + 0.2 is stored as 0.30000000000000004, 0.05 as 5E-2. */
export function plainNumber(written: string): string {
  const isLong = written.length >= 17 && /^-?\d*\.\d+$/.test(written);
  if (!isLong && !/^-?\d+(?:\.\d+)?e[+-]?\d{1,2}$/i.test(written)) return written;
  return String(Number(Number(written).toPrecision(15)));
}

/** Shows a number as its format does where the format says something: percent, currency, leading zeros, units. */
function decorated(written: string, show: (value: number) => string): string {
  const value = Number(written);
  if (written.trim() === "" || !Number.isFinite(value)) return written;
  let shown: string;
  try {
    shown = show(value).replaceAll(/\s+/g, " ").trim();
  } catch {
    return plainNumber(written);
  }
  return shownOrExact(shown, written);
}

/** Returns the shown text of a number, the bare number where the text adds nothing, or both where the text loses digits. */
export function shownOrExact(shown: string, written: string): string {
  const exact = plainNumber(written);
  // Thousands separators, brackets of negative numbers and powers of ten say no more than the number itself.
  const isBare = !/[\p{L}\p{N}]/u.test(shown) || /^[-+(]?(?!0\d)\d[\d.,' \u00a0\u202f]*(?:E[+-]?\d+)?\)?$/u.test(shown);
  if (isBare) return exact;
  return isExact(shown, Number(written)) ? shown : `${shown} (${exact})`;
}

function isExact(shown: string, value: number): boolean {
  const digits = shown.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, "");
  if (Number.isSafeInteger(value) && digits === String(Math.abs(value))) return true;
  const numbers = shown.match(/\d[\d,.' \u00a0\u202f]*(?:E[+-]?\d+)?/g) ?? [];
  const [only, ...others] = numbers;
  if (!only || others.length > 0) return false;
  const scale = shown.includes("%") ? 100 : shown.includes("‰") ? 1_000 : 1;
  return readings(only).some((number) => Math.abs(number - Math.abs(value) * scale) <= 1e-12 * Math.abs(number));
}

/** Readings of a number whose decimal separator is a point or a comma. */
function readings(text: string): number[] {
  const plain = text.replaceAll(/[' \u00a0\u202f]|[.,]$/g, "");
  return [plain.replaceAll(",", ""), plain.replaceAll(".", "").replace(",", ".")].map(Number).filter(Number.isFinite);
}

/** A locale in a pattern of money changes no separators in spreadsheets, so only its sign is kept. */
const numberPattern = (code: string): string =>
  code.replaceAll(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, sign: string) => (sign === "" ? "" : `"${sign.replaceAll('"', "")}"`));

const withoutTexts = (code: string): string => code.replaceAll(/"[^"]*"|\\./g, "");
const isElapsed = (code: string): boolean => /\[(?:h+|m+|s+)\]/i.test(withoutTexts(code));

function duration(written: string, code: string): string {
  const days = Number(written);
  if (written.trim() === "" || !Number.isFinite(days) || Math.abs(days) > 1e7) return written;
  const thousandths = Math.round(Math.abs(days) * 86_400_000);
  const [hours, minutes] = [Math.floor(thousandths / 3_600_000), Math.floor(thousandths / 60_000) % 60];
  const rest = (thousandths % 60_000) / 1_000;
  const sign = days < 0 ? "-" : "";
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  const exact = `${sign}${hours}:${two(minutes)}:${two(rest)}${rest % 1 === 0 ? "" : (rest % 1).toFixed(3).slice(1)}`;
  const isHours = /\[h+\]:mm/i.test(withoutTexts(code));
  if (isHours) return exact.endsWith(":00") && !/s/i.test(withoutTexts(code)) ? exact.slice(0, -3) : exact;
  return days < 0 ? exact : `${format(code, days).trim()} (${exact})`;
}

function dateFormat(code: string, { startsIn1904 }: NumberFormatOptions): NumberFormat {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  const isTime = (hours || minutes || seconds) && !year && !day && !(month && !seconds);
  const hasTime = hours || minutes || seconds;
  const hasFractions = /s\.0/i.test(withoutTexts(code));
  const hasWords = /"[^"]*[A-Za-z]{2}[^"]*"/.test(code);
  return (written) => {
    const serial = Number(written);
    if (written.trim() === "" || !Number.isFinite(serial)) return written;
    const text = dateText(serial, { startsIn1904, isTime, hasTime, hasFractions });
    if (text === null) return written;
    return hasWords ? `${format(code, serial + (startsIn1904 ? 1_462 : 0)).trim()} (${text})` : text;
  };
}

type DateShape = { startsIn1904: boolean; isTime: boolean; hasTime: boolean; hasFractions: boolean };

/** Writes a serial date as ISO 8601, without a time at midnight; null for a number that is no date. */
function dateText(serial: number, { startsIn1904, isTime, hasTime, hasFractions }: DateShape): string | null {
  if (serial < 0) return null;
  const step = hasFractions ? 1 : 1_000;
  const thousandths = Math.round((serial * 86_400_000) / step) * step;
  const [days, ofDay] = [Math.floor(thousandths / 86_400_000), thousandths % 86_400_000];
  const clock = new Date(ofDay).toISOString().slice(11, ofDay % 1_000 === 0 ? 19 : 23);
  if (days === 0 && (isTime || hasTime)) return clock;
  // A time of day above 24 hours is a sum of hours, as long as it cannot be a date of our days.
  if (isTime && days < 366) return `${clock} (${days * 24 + Math.floor(ofDay / 3_600_000)}${clock.slice(2)})`;
  const date = dateOf(days, startsIn1904);
  if (date === null) return null;
  return ofDay === 0 ? date : `${date} ${clock}`;
}

/** Excel counts from 1900-01-01 as day 1, and knows a 29th of February 1900 that never was. */
function dateOf(days: number, startsIn1904: boolean): string | null {
  if (!startsIn1904 && days === 0) return "1900-01-00";
  if (!startsIn1904 && days === 60) return "1900-02-29";
  const start = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const at = new Date(start + days * 86_400_000);
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9_999 ? null : at.toISOString().slice(0, 10);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
