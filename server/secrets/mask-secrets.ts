import type { Json, JsonObject } from "@/contracts/common";
import { mayHoldPrivateKey, mayHoldSecret, privateKeyMarker, replaceSecrets, shapesToTry } from "./secret-shapes";

/** Member names that mark their value as a secret. */
const secretName =
  /(pass(word|wd|phrase|code)?|pwd|secret|token|(api|access|private|signing|encryption|auth)[-_]?key|authorization|credential|cookie)s?$/i;

/** Cache by name, because few different names occur, again with every call. */
const lookedAt = new Map<string, boolean>();
const maxLookedAt = 1_000;

/** Tells whether a name marks its value as a secret. */
export function isSecretName(name: string): boolean {
  const known = lookedAt.get(name);
  if (known !== undefined) return known;
  const isSecret = secretName.test(name);
  if (lookedAt.size >= maxLookedAt) lookedAt.clear();
  if (name.length <= maxNameChars) lookedAt.set(name, isSecret);
  return isSecret;
}

/** Shortest secret that is also masked elsewhere, because a shorter one may be a word of a command that people must read. */
const minRepeatedChars = 16;
const maxRepeated = 50;
/** Lines of a private key, which are long. Shorter words between the markers stay readable, because they could be a command. */
const keyLine = /[A-Za-z0-9+/]{16,}={0,2}/g;

/** Masks a secret except at most its first and last two characters, which suffice to recognise the secret but not to use it. */
export function maskText(secret: string): string {
  return secret.length < 12 ? "***" : `${secret.slice(0, 2)}***${secret.slice(-2)}`;
}

/** Masks secrets inside a text and leaves the rest readable. */
export function maskInText(text: string): string {
  const withoutKeys = mayHoldPrivateKey(text) && privateKeyMarker.test(text) ? text.replace(keyLine, maskKeyLine) : text;
  if (!mayHoldSecret(withoutKeys)) return withoutKeys;
  const known = new Set<string>();
  const mask = (secret: string) => {
    if (secret.length >= minRepeatedChars && /\d/.test(secret)) known.add(secret);
    return maskText(secret);
  };
  const masked = shapesToTry(withoutKeys).reduce((text, shape) => replaceSecrets(text, shape, mask), withoutKeys);
  // A secret that was recognised by the name before it may occur elsewhere without the name.
  return [...known].slice(0, maxRepeated).reduce((text, secret) => text.replaceAll(secret, maskText(secret)), masked);
}

function maskKeyLine(line: string): string {
  return line.length >= 40 || (/\d/.test(line) && /[A-Z]/.test(line)) ? maskText(line) : line;
}

/**
 * Copies a value with secrets masked in texts and in names, and with one-word values masked under secret-sounding names. A
 * sentence or a command under such a name stays readable.
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

/** Returns a name that is not in use, because two masked names may be equal. */
function freeName(name: string, taken: ReadonlyMap<string, Json>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
  return free;
}

/** Returns the secret part of a text under a name: the whole text, or the part after an authorization scheme; else null. */
export function secretUnder(name: string, text: string): string | null {
  if (text === "" || !isSecretName(name)) return null;
  // `pwd` may also name the working directory.
  if (/^pwd$/i.test(name) && /^[./~\\]|^[a-z]:/i.test(text)) return null;
  const secret = /^(?:basic|bearer|token|digest|apikey|key)\s+(\S+)$/i.exec(text)?.[1] ?? text;
  return isOneWord(secret) ? secret : null;
}

/** Returns the name in a pair such as `{ name: "Authorization", value: "..." }`; null without one. */
export function pairedName(object: JsonObject): string | null {
  for (const part of ["name", "key", "header", "field"]) {
    const name = Object.hasOwn(object, part) ? object[part] : null;
    if (typeof name === "string" && name.length <= maxNameChars) return name;
  }
  return null;
}

export const isPairedValue = (name: string): boolean => name === "value" || name === "val";

/** Returns the preceding word of a command if it is an option, such as `--token`, whose value follows. */
function nameBefore(word: Json | undefined): string | null {
  return typeof word === "string" && word.length <= maxNameChars && /^-{1,2}[\w-]+$/.test(word) ? word : null;
}

const maxNameChars = 100;

/** Tells whether a text is one word without blanks or shell syntax, as passwords and keys are and commands are not. */
export function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/[;|&<>`]|\$[({I]/.test(text);
}
