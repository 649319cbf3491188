import type { Json } from "@/contracts/common";
import { mayHoldPrivateKey, mayHoldSecret, privateKeyMarker, replaceSecrets, shapesToTry } from "./secret-shapes";

/** Names under which a secret stands. */
export const secretName = /(pass(word|wd|phrase)?|secret|token|api[-_]?key|authorization|credential|private[-_]?key|cookie)s?$/i;

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
 * A copy of a value in which texts that look like secrets are masked, and so are values under secret-sounding names that
 * are one word; a sentence or a command under such a name stays readable.
 */
export function maskSecrets(value: Json): Json {
  if (typeof value === "string") return maskInText(value);
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (value && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        secretName.test(name) && typeof member === "string" && isOneWord(member) ? maskText(member) : maskSecrets(member as Json),
      ]),
    );
  }
  return value;
}

/** No blanks, line ends or invisible characters: what a password or a key looks like, and a command does not. */
export function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/[;|&<>`]|\$[({I]/.test(text);
}
