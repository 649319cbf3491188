/** Number texts that may lose precision: many digits, or a large exponent. */
const mayBeInexact = /\d{16}|[eE]\+?\d{3}/;

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver?: Reviver) => unknown;

/**
 * Parses JSON so that no number silently changes. A number outside the range, or an integer that a double cannot hold,
 * becomes Infinity, which no schema accepts. Otherwise `12345678901234567890` would become ...567000.
 */
export function parseExactJson(text: string): unknown {
  return mayBeInexact.test(text)
    ? parse(text, (_key, value, { source }) => (isChanged(value, source) ? Number.POSITIVE_INFINITY : value))
    : parse(text);
}

function isChanged(value: unknown, source: string | undefined): boolean {
  if (typeof value !== "number" || source === undefined || Number.isSafeInteger(value)) return false;
  return !Number.isFinite(value) || (/^-?\d+$/.test(source) && BigInt(source) !== BigInt(value));
}

/** Returns the path of the first inexact number (Infinity) in a value; null when there is none. */
export function findInexactNumber(value: unknown): string[] | null {
  let level = [{ value, path: [] as string[] }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { value, path } of level) {
      if (typeof value === "number" && !Number.isFinite(value)) return path;
      if (typeof value !== "object" || value === null) continue;
      for (const [name, member] of Object.entries(value)) next.push({ value: member, path: [...path, name] });
    }
    level = next;
  }
  return null;
}

/** Writes a value so that `parseExactJson` restores it: JSON has no Infinity, so 1e999 stands for it. */
export function writeExactJson(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    member === Number.POSITIVE_INFINITY || member === Number.NEGATIVE_INFINITY ? tooLarge : member,
  );
}

const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
const tooLarge = rawJSON("1e999");
