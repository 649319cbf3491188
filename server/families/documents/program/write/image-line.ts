const form = /^\s{0,8}!\[([^\]]{0,1000})\]\(\s*(?:<([^<>]{1,1000})>|([^\s()<>]{1,1000}))(?:\s+(?:"[^"]{0,1000}"|'[^']{0,1000}'))?\s*\)\s*$/;

/** Returns the image of a Markdown line that holds only an image; null for any other line. */
export function imageLine(line: string): { address: string; alternative: string } | null {
  if (line.length > 4_000) return null;
  const [whole, alternative = "", bracketed, plain] = form.exec(line) ?? [];
  const address = bracketed ?? plain;
  return whole === undefined || !address ? null : { address, alternative };
}
