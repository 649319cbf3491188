/** Variables that only choose a language, a time zone or colours. */
const names = /^(LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(_FORCE)?|COLUMNS|LINES|GREP_COLORS?|LS_COLORS|CI)$/;

/** Whether `NAME=value` before a command only changes how its output looks. */
export function isHarmlessAssignment(text: string): boolean {
  const end = text.indexOf("=");
  const name = text.slice(0, Math.max(end, 0));
  if (!names.test(name)) return false;
  const [, , value = ""] = /^(["']?)(.*)\1$/s.exec(text.slice(end + 1)) ?? [];
  return name === "TZ" ? /^[\w+-]*(\/[\w+-]+)*$/.test(value) : /^[\w.@+-]*$/.test(value);
}
