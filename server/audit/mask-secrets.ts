import type { Json, JsonObject } from "@/contracts/common";
import { mayHoldPrivateKey, mayHoldSecret, privateKeyMarker, replaceSecrets, shapesToTry } from "./secret-shapes";

/** Names under which a secret stands. */
const secretName =
  /(pass(word|wd|phrase|code)?|pwd|secret|token|(api|access|private|signing|encryption|auth)[-_]?key|authorization|credential|cookie)s?$/i;

/** Names come again with every call, and are few. */
const lookedAt = new Map<string, boolean>();
const maxLookedAt = 1_000;

/** Whether a name says that a secret stands under it. */
export function isSecretName(name: string): boolean {
  const known = lookedAt.get(name);
  if (known !== undefined) return known;
  const isSecret = secretName.test(name);
  if (lookedAt.size >= maxLookedAt) lookedAt.clear();
  if (name.length <= maxNameChars) lookedAt.set(name, isSecret);
  return isSecret;
}

/** A shorter secret may be a word that a command needs to be read. */
const minRepeatedChars = 16;
const maxRepeated = 50;
/** Lines of a private key are long; another word between its markers stays readable, because it could be a command. */
const keyLine = /[A-Za-z0-9+/]{16,}={0,2}/g;

/** First and last two characters at the most: enough to recognise, not to use. */
export function maskText(secret: string): string {
  return secret.length < 12 ? "***" : `${secret.slice(0, 2)}***${secret.slice(-2)}`;
}

/** Masks what looks like a secret inside a text, and leaves the rest readable. */
export function maskInText(text: string): string {
  const withoutKeys = mayHoldPrivateKey(text) && privateKeyMarker.test(text) ? text.replace(keyLine, maskKeyLine) : text;
  if (!mayHoldSecret(withoutKeys)) return withoutKeys;
  const known = new Set<string>();
  const mask = (secret: string) => {
    if (secret.length >= minRepeatedChars && /\d/.test(secret)) known.add(secret);
    return maskText(secret);
  };
  const masked = shapesToTry(withoutKeys).reduce((text, shape) => replaceSecrets(text, shape, mask), withoutKeys);
  // What was recognised by the name before it may stand somewhere else without one.
  return [...known].slice(0, maxRepeated).reduce((text, secret) => text.replaceAll(secret, maskText(secret)), masked);
}

function maskKeyLine(line: string): string {
  return line.length >= 40 || (/\d/.test(line) && /[A-Z]/.test(line)) ? maskText(line) : line;
}

/**
 * A copy of a value in which texts that look like secrets are masked, also as names, and so are values under
 * secret-sounding names that are one word; a sentence or a command under such a name stays readable.
 */
export function maskSecrets(value: Json): Json {
  if (typeof value === "string") return maskInText(value);
  if (Array.isArray(value)) return value.map((member, index) => maskUnder(nameBefore(value[index - 1]), member));
  if (!value || typeof value !== "object") return value;
  const masked = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    masked.set(freeName(maskInText(name), masked), maskUnder(isPairedValue(name) ? pairedName(value) : name, member));
  }
  return Object.fromEntries(masked);
}

function maskUnder(name: string | null, value: Json): Json {
  if (typeof value !== "string") return maskSecrets(value);
  const secret = name === null ? null : secretUnder(name, value);
  return secret === null ? maskInText(value) : value.slice(0, value.length - secret.length) + maskText(secret);
}

/** Two secrets may look alike once they are masked. */
function freeName(name: string, taken: ReadonlyMap<string, Json>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
  return free;
}

/** What is secret of a text that stands under a name: all of it, or what follows the kind of an authorization. */
export function secretUnder(name: string, text: string): string | null {
  if (text === "" || !isSecretName(name)) return null;
  // A folder may be called that, too.
  if (/^pwd$/i.test(name) && /^[./~\\]|^[a-z]:/i.test(text)) return null;
  const secret = /^(?:basic|bearer|token|digest|apikey|key)\s+(\S+)$/i.exec(text)?.[1] ?? text;
  return isOneWord(secret) ? secret : null;
}

/** The name that a value stands under in `{ name: "Authorization", value: "..." }`; null where there is none. */
export function pairedName(object: JsonObject): string | null {
  for (const part of ["name", "key", "header", "field"]) {
    const name = Object.hasOwn(object, part) ? object[part] : null;
    if (typeof name === "string" && name.length <= maxNameChars) return name;
  }
  return null;
}

export const isPairedValue = (name: string): boolean => name === "value" || name === "val";

/** The option before a word of a command, whose value it is. */
function nameBefore(word: Json | undefined): string | null {
  return typeof word === "string" && word.length <= maxNameChars && /^-{1,2}[\w-]+$/.test(word) ? word : null;
}

const maxNameChars = 100;

/** No blanks, line ends or invisible characters: what a password or a key looks like, and a command does not. */
export function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/[;|&<>`]|\$[({I]/.test(text);
}
