import type { GivenText, SimpleCommand } from "./shell-script";

/** Returns the output of `echo` or `printf` when all words are literal; `cat` passes its input on. */
export function printedBy(command: SimpleCommand | undefined): GivenText | null {
  const [name, ...words] = command?.words ?? [];
  if (name?.value === "cat" && words.length === 0) return command?.input ?? null;
  if (!name || !/^(?:echo|printf)$/.test(name.value) || words.some(({ certainty }) => certainty !== "literal")) return null;
  const texts = words.map(({ value }) => value);
  while (/^-[neE]+$|^--$/.test(texts[0] ?? "")) texts.shift();
  // Shells disagree on backslashes in `echo`.
  if (name.value === "echo") {
    const printed = texts.join(" ");
    return { value: printed.replace(/\\n/g, "\n"), certainty: printed.includes("\\") ? "unknown" : "literal" };
  }
  const [format = "", ...values] = texts;
  const plain = format.replace(/\\n/g, "\n").replace(/\\t/g, "\t");
  const isKnown = !/%(?!s)|\\/.test(plain);
  let value = "";
  do value += plain.replace(/%s/g, () => values.shift() ?? "");
  while (values.length > 0 && plain.includes("%s"));
  return { value, certainty: isKnown ? "literal" : "unknown" };
}
