import type { Json } from "@/contracts/common";

const secretName = /(pass(word|wd|phrase)?|secret|token|api[-_]?key|authorization|credential|private[-_]?key|cookie)s?$/i;

/**
 * Recognisable secrets inside any text. Each is one unbroken word without blanks, quotes, slashes or anything that a
 * shell acts on: a mask may hide a secret from a reader, and never what a command does. Every pattern is linear.
 */
const secretShapes = [
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g,
  /\bhr_[A-Za-z0-9_-]{32,}\b/g,
  /\bsk-[A-Za-z0-9_-]{20,200}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,200}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\b/g,
  /(?<=\bBearer )[A-Za-z0-9._~+=-]{8,}/g,
  /(?<=:\/\/[A-Za-z0-9._-]{1,100}:)[A-Za-z0-9._~%+=!-]{1,200}(?=@)/g,
  /(?<=\b(?:password|passwd|secret|token|api_key|apikey)=)[A-Za-z0-9._~%+=!-]{4,200}/gi,
];

/** Lines of a private key are long; a shorter word between its markers stays readable, because it could be a command. */
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const keyLine = /[A-Za-z0-9+/]{40,}={0,2}/g;

/** First and last two characters at the most: enough to recognise, not to use. */
export function maskText(secret: string): string {
  return secret.length < 12 ? "***" : `${secret.slice(0, 2)}***${secret.slice(-2)}`;
}

/** Masks what looks like a secret inside a text, and leaves the rest readable. */
export function maskInText(text: string): string {
  const withoutKeys = privateKey.test(text) ? text.replace(keyLine, maskText) : text;
  return secretShapes.reduce((masked, shape) => masked.replace(shape, maskText), withoutKeys);
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
function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/[;|&<>`]|\$[({I]/.test(text);
}
