import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

/** Properties of a paragraph behind a run or a line break, where the format has none. */
const repeated = /(<\/a:r>|<a:br\/>)<a:pPr\b[^>]*>(?:(?!<\/a:pPr>).)*<\/a:pPr>/gs;

/**
 * Removes the paragraph properties that pptxgenjs repeats in front of each run. They are against the format, and
 * LibreOffice takes the last ones: a list item with a formatted word lost its bullet.
 */
export function withSingleProperties(presentation: Uint8Array): Uint8Array {
  const parts = unzipSync(presentation);
  for (const [name, part] of Object.entries(parts)) {
    if (/^ppt\/slides\/[^/]+\.xml$/.test(name)) parts[name] = strToU8(strFromU8(part).replace(repeated, "$1"));
  }
  return zipSync(parts);
}
