import { editDistance } from "@/server/platform/edit-distance";

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The shortest common piece that counts, because shorter pieces match too many names by chance. */
const minPieceChars = 4;

/** Returns the known name closest to a misspelt one; null when none is close. */
export function nearestName(written: string, known: readonly string[]): string | null {
  const plain = plainOf(written).slice(0, 60);
  if (plain === "") return null;
  const ranked = known
    .map((name) => ({ name, distance: distanceBetween(plain, plainOf(name)) }))
    .filter(({ distance }) => distance !== null)
    .sort((a, b) => Number(a.distance) - Number(b.distance));
  return ranked[0]?.name ?? null;
}

/** Returns the number of changed letters (0 for equal names); from 100 on when a name begins or ends with the other; else null. */
function distanceBetween(written: string, known: string): number | null {
  const edits = editDistance(written, known);
  if (edits <= Math.floor(Math.max(written.length, known.length) / 3)) return edits;
  const [short, long] = written.length < known.length ? [written, known] : [known, written];
  const isPiece = short.length >= minPieceChars && (long.startsWith(short) || long.endsWith(short));
  return isPiece ? 100 + long.length - short.length : null;
}
