import { isPlaceholder, isTrivialAddress } from "./placeholder";
import { hasDigit, type SecretShape } from "./secret-shape";
import { isNoPlaceholder, isRandom, secretShapes } from "./secret-shapes";

/** Kinds of tokens with an unmistakable format. */
const tokenKinds = new Set<SecretShape["kind"]>([
  "aws_key",
  "github_token",
  "slack_token",
  "stripe_key",
  "google_key",
  "model_key",
  "service_token",
  "jwt",
]);

const quote = String.raw`(?:\\?["'])?`;
const assign = String.raw`${quote}\s{0,3}[=:]\s{0,3}${quote}`;
const secretWords = "pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?";
const value = "[A-Za-z0-9!@#%+_-][A-Za-z0-9!@#%^*+/_=~.:?-]";
/** The end of a value. A call, a member or an index after the value would make it code. */
const valueEnd = String.raw`(?![\w([{<$=])`;

/** Names of tokens that are no secrets: pagination cursors, CSRF tokens, and tokens of language models. */
const pagingName = /(?:page|next|prev|continu\w*|sync|cursor|scroll|delta|resume|watch|csrf|xsrf|stop|bos|eos|pad|mask|unk|sep)[_-]?token/i;
/** Names of keys that are no secrets. */
const openName = /public|cache|primary|foreign|sort|partition|idempotency|site|integrity|hash|digest|checksum/i;
const algorithm = /^(?:sha|md|base|utf|hs|rs|es|ps|u?int|float|aes|hex|latin|v|rfc|oauth|http)-?\d+[\w-]*$/i;

/** Most characters of a name that are read before the word that marks a secret. */
export const maxNameStart = 60;

/** A shape whose `isSecret` also sees the start of the name before the match: `nextPage` of `nextPageToken`. */
export type ResultShape = Omit<SecretShape, "isSecret"> & { isSecret?: (secret: string, match: string, nameStart: string) => boolean };

/**
 * Shapes of secrets in the results of tools. Results are source code, listings and logs, so a secret-sounding name before a
 * word is not enough: unlike in arguments, the word must also look like a secret.
 */
export const resultShapes: readonly ResultShape[] = [
  ...secretShapes
    .filter(({ kind }) => tokenKinds.has(kind))
    .map((shape) => (shape.hints?.includes("sk-") ? { ...shape, isSecret: hasDigit } : shape)),
  {
    kind: "bearer",
    hints: ["bearer "],
    pattern: /(?<=\bBearer )[A-Za-z0-9._~+/=-]{16,4000}/gi,
    isSecret: (secret) => hasDigit(secret) && isNoPlaceholder(secret),
  },
  {
    kind: "bearer",
    hints: ["authorization"],
    pattern: /(?<=\bauthorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:basic|token) )[A-Za-z0-9._~+/=-]{8,400}/gi,
    isSecret: hasDigit,
  },
  {
    kind: "url_password",
    hints: ["://", "@"],
    pattern: /:\/\/[A-Za-z0-9._%+~-]{0,100}:([A-Za-z0-9._~%+=!,^#-]{6,200})(?=@)/g,
    // Every host counts as local, because `user:password@db.example.com` in a result is an example.
    isSecret: (secret, match) => !isTrivialAddress(secret, match, "@localhost") && isNoPlaceholder(secret),
  },
  {
    kind: "url_password",
    hints: ["://", "@"],
    pattern: /:\/\/([A-Za-z0-9._~%+-]{16,250})(?=(?::[A-Za-z0-9_*-]{0,40})?@)/g,
    isSecret: (secret) => isRandom(secret),
  },
  {
    kind: "password",
    hints: ["sshpass"],
    pattern: new RegExp(`(?<=sshpass -p ?["']?)${value}{0,199}`, "g"),
    isSecret: isNoPlaceholder,
  },
  {
    kind: "password",
    pattern: new RegExp(`(?:${secretWords})${assign}(${value}{3,199})${valueEnd}`, "gi"),
    isSecret: isAssignedSecret,
  },
  {
    kind: "high_entropy",
    sign: /[=:]\s{0,3}\\?["']?[A-Za-z0-9_+/-]{24}/,
    pattern: new RegExp(`(?:key|session|sid|auth|cookie)${assign}([A-Za-z0-9_+/-][A-Za-z0-9_+/=-]{23,250})${valueEnd}`, "gi"),
    isSecret: (secret, match, nameStart) => isRandom(secret) && !openName.test(nameStart + nameIn(match, secret)),
  },
];

/** Tells whether the value of an assignment is a secret, as opposed to code, a version or a placeholder. */
function isAssignedSecret(secret: string, match: string, nameStart: string): boolean {
  const before = match.slice(0, match.length - secret.length);
  return isSecretUnder(nameStart + nameIn(match, secret), secret, {
    isQuoted: /["']$/.test(before),
    isEnvironment: /^[A-Z][A-Z0-9_]*=["']?$/.test(nameStart + before),
  });
}

const nameIn = (match: string, secret: string): string => match.slice(0, match.length - secret.length).replace(/[\s"'\\=:]+$/, "");

/** Tells whether a value under a secret-sounding name looks like a secret. */
export function isSecretUnder(name: string, secret: string, { isQuoted = true, isEnvironment = false } = {}): boolean {
  if (pagingName.test(name) || openName.test(name)) return false;
  if (!isNoPlaceholder(secret) || isPlaceholder(secret) || algorithm.test(secret)) return false;
  if (/^[~^v]?\d+\.\d+|:x?:\d+:/.test(secret) || /^(?:https?|file|env|vault|op|arn|ref):/i.test(secret)) return false;
  const isPassword = /pass|pwd|secret/i.test(name);
  if (/^\d+$/.test(secret)) return isPassword && secret.length >= 6 && (isEnvironment || isQuoted);
  if (isEnvironment) return secret.length >= 4;
  const isIdentifier = /^[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*$/.test(secret);
  if (!isQuoted && isIdentifier && (secret.match(/\d/g) ?? []).length < 2) return false;
  const looksMade = hasDigit(secret) || /[!@#%^&*+=~?]/.test(secret);
  return looksMade && secret.length >= (isPassword && isQuoted ? 6 : 8);
}
