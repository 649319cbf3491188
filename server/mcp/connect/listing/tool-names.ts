import { createHash } from "node:crypto";

const maxLength = 64;
const suffixLengths = [6, 12, 26] as const;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * Names upstream tools `alias__rawName`, in characters that models accept (`^[A-Za-z0-9_-]{1,64}$`). When cutting or
 * replacing characters would give two tools one name, the altered names get `_` and six or more base32 characters of the
 * raw name's SHA-256. The order of the listing makes no difference. A raw name that is listed twice counts once.
 */
export function nameTools(alias: string, rawNames: Iterable<string>): Map<string, string> {
  const raws = [...new Set(rawNames)].sort();
  const plain = new Map(raws.map((raw) => [raw, plainName(alias, raw)]));
  const isAltered = (raw: string) => plain.get(raw) !== `${alias}__${raw}`;
  const alteredTo = Map.groupBy(raws.filter(isAltered), (raw) => plain.get(raw));

  const taken = new Set(raws.filter((raw) => !isAltered(raw)).map((raw) => `${alias}__${raw}`));
  const names = new Map<string, string>();
  for (const raw of raws) {
    const name = plain.get(raw) ?? plainName(alias, raw);
    const collides = isAltered(raw) && (taken.has(name) || (alteredTo.get(name)?.length ?? 0) > 1);
    const free = collides ? suffixLengths.map((length) => suffixed(name, raw, length)).find((candidate) => !taken.has(candidate)) : name;
    if (!free) continue;
    taken.add(free);
    names.set(raw, free);
  }
  return names;
}

/**
 * Makes the plain name without leading underscores of the raw name. An alias never contains `__`, so the text before the
 * first `__` is always the alias, and no server can take the name of another server's tool.
 */
function plainName(alias: string, raw: string): string {
  const cleaned = raw.replace(/[^A-Za-z0-9_-]/gu, "_").replace(/^_+/, "") || "tool";
  return `${alias}__${cleaned}`.slice(0, maxLength);
}

function suffixed(name: string, raw: string, length: number): string {
  return `${name.slice(0, maxLength - length - 1)}_${base32OfHash(raw, length)}`;
}

function base32OfHash(text: string, length: number): string {
  const hash = createHash("sha256").update(text).digest();
  return Array.from(hash.subarray(0, length), (byte) => alphabet[byte & 31]).join("");
}
