import type { Json } from "@/contracts/common";

const secretName = /(pass(word|wd|phrase)?|secret|token|api[-_]?key|authorization|credential|private[-_]?key|cookie)s?$/i;

/** Recognisable secrets inside any text. Every pattern is linear: no nested repetition. */
const secretShapes = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g,
  /\bhr_[A-Za-z0-9_-]{32,}\b/g,
  /\bsk-[A-Za-z0-9_-]{20,200}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,200}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\b/g,
  /(?<=\bBearer )[A-Za-z0-9._~+/=-]{8,}/g,
  /(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g,
  /(?<=\b(?:password|passwd|secret|token|api_key|apikey)=)[^\s&"']{4,200}/gi,
];

/** First and last two characters at the most: enough to recognise, not to use. */
export function maskText(secret: string): string {
  return secret.length < 12 ? "***" : `${secret.slice(0, 2)}***${secret.slice(-2)}`;
}

/** Masks what looks like a secret inside a text, and leaves the rest readable. */
export function maskInText(text: string): string {
  return secretShapes.reduce((masked, shape) => masked.replace(shape, maskText), text);
}

/** A copy of a value in which values under secret-sounding names, and texts that look like secrets, are masked. */
export function maskSecrets(value: Json): Json {
  if (typeof value === "string") return maskInText(value);
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (value && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        secretName.test(name) && typeof member === "string" && member !== "" ? maskText(member) : maskSecrets(member as Json),
      ]),
    );
  }
  return value;
}
