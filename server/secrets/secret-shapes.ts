import { allCodes, toCharCodes } from "@/server/platform/char-codes";
import { isPlaceholder, isTrivialAddress } from "./placeholder";
import { hasDigit, type SecretShape } from "./secret-shape";
import { tokenShapes, tokenSigns } from "./token-shapes";

const before = String.raw`["']?\s{0,3}[=:]\s{0,3}["']?`;
/** A long word after `=` or `:`. */
const assigned = /[=:]\s?["']?[A-Za-z0-9_+-][A-Za-z0-9_+=-]{23}/;
const twilioAccount = /\bAC[0-9a-f]{32}(?![0-9A-Za-z])/;
const value = "[A-Za-z0-9._~%+=!@#^:,-]";
const secretNames = "pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential";

/**
 * Shapes of secrets inside any text. Each secret is one word without blanks, quotes or shell syntax, because a mask may
 * hide a secret from an approver but never a part of what a command does. Every pattern runs in linear time.
 */
export const secretShapes: readonly SecretShape[] = [
  { kind: "aws_key", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g },
  { kind: "aws_key", hints: ["access"], pattern: new RegExp(`(?<=secret_?access_?key${before})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])`, "gi") },
  { kind: "github_token", pattern: /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g },
  { kind: "github_token", pattern: /\bgithub_pat_[A-Za-z0-9_]{22,255}\b/g },
  { kind: "slack_token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,200}\b/g },
  { kind: "slack_token", pattern: /\bxapp-[A-Za-z0-9-]{10,200}\b/g },
  { kind: "slack_token", hints: ["hooks.slack.com"], pattern: /(?<=hooks\.slack\.com\/services\/\w{8,16}\/\w{8,16}\/)\w{16,64}/g },
  { kind: "stripe_key", pattern: /\b(?:[srp]k_(?:live|test)|whsec)_[A-Za-z0-9]{10,250}\b/g },
  { kind: "google_key", pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  { kind: "google_key", pattern: /\b(?:ya29\.|GOCSPX-|AQ\.Ab)[0-9A-Za-z_-]{20,400}/g },
  { kind: "model_key", hints: ["sk-"], pattern: /\bsk-[A-Za-z0-9_-]{20,200}\b/g },
  { kind: "service_token", hints: ["hr_"], pattern: /\bhr_[A-Za-z0-9_-]{32,}\b/g },
  ...tokenShapes,
  { kind: "service_token", hints: ["sg."], pattern: /\bSG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,100}/g },
  // A Twilio account is no secret; its token is 32 hex digits, recognisable only by the account before it.
  { kind: "service_token", sign: twilioAccount, pattern: /(?<=\bAC[0-9a-f]{32}["']?[\s:,=&]{1,3}["']?)[0-9a-f]{32}(?![0-9A-Za-z])/g },
  // Signed tokens have three parts. Encrypted tokens have five, and the second may be empty. The first part stops at another
  // `-eyJ`, where the search starts again, so that a text of many beginnings is read only once.
  {
    kind: "jwt",
    hints: ["eyj"],
    pattern: /\beyJ(?:(?!-eyJ)[A-Za-z0-9_-]){8,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){0,2}\b/g,
  },
  { kind: "bearer", hints: ["bearer "], pattern: /(?<=\bBearer )[A-Za-z0-9._~+=-]{8,}/gi, isEvident: hasDigit },
  {
    kind: "bearer",
    hints: ["authorization"],
    pattern: /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|token) )[A-Za-z0-9._~+/=-]{6,400}/gi,
  },
  // One slash is enough, because path normalization turns `://` into `:/`.
  {
    kind: "url_password",
    hints: [":/", "@"],
    pattern: /:\/{1,2}[A-Za-z0-9._%+~-]{0,100}:([A-Za-z0-9._~%+=!,^#@-]{1,200})(?=@)/g,
    isEvident: (secret, match, after) => !isTrivialAddress(secret, match, after),
  },
  // A token in place of the user name.
  {
    kind: "url_password",
    hints: [":/", "@"],
    pattern: /:\/{1,2}([A-Za-z0-9._~%+-]{16,250})(?=(?::[A-Za-z0-9_*-]{0,40})?@)/g,
    isSecret: hasDigit,
  },
  {
    kind: "password",
    hints: ["curl"],
    pattern: new RegExp(`(?<=\\s)(?:-[A-Za-z]{0,5}[uU]|--(?:proxy-)?user)[ =]?["']?[A-Za-z0-9._%+@-]{1,100}:(${value}{1,200})`, "g"),
    // `-u 1000:1000` names a user and a group.
    isSecret: (secret, match) => !/\d+:\d+$/.test(match) && isNoPlaceholder(secret),
  },
  // `-p3306:3306` are ports.
  ...["mysql", "mariadb"].map((name): SecretShape => {
    return { kind: "password", hints: [name], pattern: new RegExp(`(?<=\\s-p["']?)${value}{1,200}`, "g"), isSecret: isNoPort };
  }),
  {
    kind: "password",
    hints: ["sshpass"],
    pattern: new RegExp(`(?<=sshpass -p ?["']?)${value}{1,200}`, "g"),
    isSecret: (secret) => !isPlaceholder(secret),
  },
  {
    kind: "password",
    hints: ["redis-cli"],
    pattern: new RegExp(`(?<=\\s-a ?["']?)${value}{4,200}`, "g"),
    isSecret: (secret) => !isPlaceholder(secret),
  },
  {
    kind: "password",
    hints: ["login"],
    pattern: new RegExp(`\\blogin\\b(?:(?!login)[^\\n;|&]){0,100}?\\s-p[ =]["']?(${value}{4,200})`, "g"),
  },
  {
    kind: "password",
    hints: ["--"],
    pattern: new RegExp(
      `(?<![\\w-])--[A-Za-z-]{0,40}(?:pass(?:word|wd|phrase)?|token|secret|api-?key|access-?key)\\s{1,3}["']?(?!-)(${value}{4,200})`,
      "gi",
    ),
    isSecret: (secret, match) => isNoPlaceholder(secret) && (/^--[a-z-]*pass/i.test(match) || (secret.length >= 8 && hasDigit(secret))),
    isEvident: hasDigit,
  },
  {
    kind: "password",
    hints: ["pass"],
    pattern: new RegExp(`(?<![A-Za-z])pass=["']?(${value}{2,200})`, "gi"),
    isSecret: isNoPlaceholder,
  },
  {
    kind: "password",
    pattern: new RegExp(`(?:${secretNames})${before}([A-Za-z0-9._~%+=!@#^:,-]{4,200})`, "gi"),
    isSecret: (secret, match) => !isPlaceholder(secret) && (match.includes("=") || (secret.length >= 6 && hasDigit(secret))),
    isEvident: isNoPlaceholder,
  },
  {
    kind: "high_entropy",
    // The name is in a lookbehind, so that a long word without `=` or `:` before it costs nothing.
    sign: assigned,
    pattern: /(?<=\b[A-Za-z][A-Za-z0-9_-]{1,40}["']?\s?[=:]\s?["']?)[A-Za-z0-9_+-][A-Za-z0-9_+=-]{23,250}/g,
    isSecret: isRandom,
  },
];

/** Tells whether a value is no placeholder: no word for a secret, no short number, and no name of a variable or member. */
export function isNoPlaceholder(value: string): boolean {
  const word =
    /^(?:x+|\*+|\.+|-+|your[\w.-]*|change[_-]?me|example|placeholder|redacted|none|null|undefined|true|false|required|optional|string|\d{1,5})$/i;
  const name = /^(?:[A-Za-z_]+(?:\.[A-Za-z_]+)+|[a-z]+[A-Z][A-Za-z]*)$/;
  return !word.test(value) && !name.test(value) && !isPlaceholder(value);
}

function isNoPort(text: string): boolean {
  return !/^[\d.:]+$/.test(text) && isNoPlaceholder(text);
}

/** Tells whether a value looks generated: digits, letters of both cases, and high entropy. */
export function isRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  return bitsPerCharacter(value) > 4;
}

/** Computes the Shannon entropy of an ASCII text, in bits per character. */
function bitsPerCharacter(text: string): number {
  const counts = new Uint16Array(128);
  for (let at = 0; at < text.length; at += 1) counts[text.charCodeAt(at) & 127] = (counts[text.charCodeAt(at) & 127] ?? 0) + 1;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const none: readonly string[] = [];

/** Returns the shapes that a text may contain, judged by their hints and signs. */
export function shapesToTry(text: string): readonly SecretShape[] {
  const small = text.toLowerCase();
  return secretShapes.filter(({ hints = none, sign }) => hints.every((hint) => small.includes(hint)) && (!sign || sign.test(text)));
}

/** Characters after a match that `isEvident` sees, enough for a host name. */
const maxAfter = 260;

/** Returns the first evident secret of a shape in a text; null without one. */
export function evidentSecretIn(text: string, { pattern, isSecret, isEvident }: SecretShape): string | null {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const secret = match[1] ?? match[0];
    if (
      (!isSecret || isSecret(secret, match[0])) &&
      (!isEvident || isEvident(secret, match[0], text.slice(pattern.lastIndex, pattern.lastIndex + maxAfter)))
    )
      return secret;
  }
  return null;
}

/** Replaces every secret of a shape in a text. */
export function replaceSecrets(text: string, { pattern, isSecret }: SecretShape, replace: (secret: string) => string): string {
  return text.replace(pattern, (match: string, group: unknown) => {
    const secret = typeof group === "string" ? group : match;
    if (isSecret && !isSecret(secret, match)) return match;
    return match.slice(0, match.length - secret.length) + replace(secret);
  });
}

/** Matches every text that contains a token. Nearly all other texts fail this one test, so their shapes are not tried. */
const tokenSign = new RegExp(
  [
    // Anchored at the beginning of a word, which makes a failing search fast.
    `\\b(?:A(?:KIA|SIA|BIA|CCA)|AC[0-9a-f]{32}|gh[pousr]_|github_pat_|xox|xapp-|[srp]k_|whsec_|AIza|ya29|GOCSPX|AQ\\.Ab|sk-|hr_|SG\\.|eyJ|${tokenSigns.atStart})`,
    `${tokenSigns.anywhere}|hooks\\.slack`,
  ].join("|"),
  "i",
);
/** Matches every text that contains another kind of secret, mostly by the words before the secret. */
const nameSign = new RegExp(
  ["\\b(?:bearer |authorization|login)|curl|mysql|mariadb|sshpass|redis-cli|pass[=\\s]|:/", secretNames, assigned.source].join("|"),
  "i",
);

/** Cache of one: the last text without secrets, because the same text is checked when it is stored and when it is shown. */
let clean = "";
const maxRememberedChars = 1_000;

/** Tells whether a text may contain any of the shapes. */
export function mayHoldSecret(text: string): boolean {
  if (text === clean || text.length < minChars) return false;
  const has = looksOf(text);
  if ((has.longWord && tokenSign.test(text)) || (has.sign && nameSign.test(text))) return true;
  if (text.length <= maxRememberedChars) clean = text;
  return false;
}

const minChars = 8;
const longWordChars = 15;
const characterKinds = { other: 0, word: 1, assigns: 2, blank: 3 } as const;
/** Kind of each character code; every character beyond ASCII counts as a blank. */
const kindOfCharacter = new Uint8Array(allCodes).fill(characterKinds.blank);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[\w.-]/.test(character)) kindOfCharacter[code] = characterKinds.word;
  else if (/[=:]/.test(character)) kindOfCharacter[code] = characterKinds.assigns;
  else if (!/\s/.test(character)) kindOfCharacter[code] = characterKinds.other;
}

/** Words and options that a blank may separate from their secret. */
const beforeBlank = /(?:bearer|pass(?:word|wd|phrase)?|token|secret|key)\s|\s-p|redis-cli/i;

/**
 * Looks for a long word, as every token is one, and for a sign: `=` or `:` between a name and its value, or a blank after
 * one of `beforeBlank`. Makes one pass, because every text of every call is checked.
 */
function looksOf(text: string): { longWord: boolean; sign: boolean } {
  const codes = toCharCodes(text);
  let wordChars = 0;
  let longWord = false;
  let sign = false;
  let hasBlank = false;
  for (let at = 0; at < text.length; at += 1) {
    const kind = kindOfCharacter[codes[at] ?? 0];
    if (kind === characterKinds.word) {
      wordChars += 1;
      if (wordChars === longWordChars) {
        longWord = true;
        if (sign) break;
      }
      continue;
    }
    wordChars = 0;
    if (kind === characterKinds.assigns) {
      sign = true;
      if (longWord) break;
    } else if (kind === characterKinds.blank) hasBlank = true;
  }
  return { longWord, sign: sign || (hasBlank && beforeBlank.test(text)) };
}

export const privateKeyMarker = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/;
const minMarkerChars = "PuTTY-User-Key-File-2".length;

/** Tells whether a text may contain `privateKeyMarker`, by a quick search for its words. */
export function mayHoldPrivateKey(text: string): boolean {
  return text.length >= minMarkerChars && (text.includes("KEY") || text.includes("PuTTY"));
}
