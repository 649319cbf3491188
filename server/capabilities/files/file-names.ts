const maxNameBytes = 120;

/**
 * Returns a file name that every system takes, from one that a browser sent: no folders, no leading dot, no characters with
 * a meaning for shells or paths.
 */
export function safeFileName(given: string): string {
  const last = given.normalize("NFC").split(/[\\/]/).at(-1) ?? "";
  const plain = last
    .replace(/[^\p{L}\p{M}\p{N}._ ()+-]/gu, "_")
    .replace(/\s+/g, " ")
    .replace(/^[.\s-]+/, "")
    .replace(/[.\s]+$/, "");
  if (plain === "") return "file";
  const { stem, suffix } = splitName(plain);
  return `${cutBytes(stem, maxNameBytes - Buffer.byteLength(suffix))}${suffix}`;
}

/** Returns the n-th name for a file whose name is taken: `report (2).csv`. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const { stem, suffix } = splitName(name);
  return `${stem} (${number})${suffix}`;
}

function splitName(name: string): { stem: string; suffix: string } {
  const dot = name.lastIndexOf(".");
  const isSuffix = dot > 0 && name.length - dot <= 12;
  return isSuffix ? { stem: name.slice(0, dot), suffix: name.slice(dot) } : { stem: name, suffix: "" };
}

function cutBytes(text: string, maxBytes: number): string {
  let cut = "";
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > maxBytes) break;
    cut += character;
  }
  return cut.trimEnd();
}
