/** Joins arguments into lines of a form. An argument that is empty, quoted or contains a line break is written as JSON. */
export function joinArgumentLines(args: readonly string[]): string {
  return args.map((arg) => (/[\n\r]/.test(arg) || arg === "" || quoted(arg) !== null ? JSON.stringify(arg) : arg)).join("\n");
}

/** Splits lines into arguments; skips empty lines. */
export function splitArgumentLines(lines: string): string[] {
  return lines
    .split("\n")
    .map((line) => line.replace(/\r$/, ""))
    .filter((line) => line !== "")
    .map((line) => quoted(line) ?? line);
}

function quoted(line: string): string | null {
  if (!/^".*"$/s.test(line)) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
