import { createHash } from "node:crypto";

const maxLength = 64;
const suffixLengths = [6, 12, 26] as const;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * The function name of each upstream tool: `alias__rawName`, made of what models accept (`^[A-Za-z0-9_-]{1,64}$`).
 * When cutting or replacing characters would give two tools one name, the altered ones get `_` and six base32
 * characters of their raw name's SHA-256. The order in which a server lists its tools makes no difference. A raw name
 * that is listed twice counts once.
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
 * Underscores at the front of a raw name go away: an alias cannot contain two in a row, so what stands left of the
 * first `__` then says which server a name belongs to, and no server can take the name of another one's tool.
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
