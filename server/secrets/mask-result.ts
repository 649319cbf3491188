import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Json } from "@/contracts/common";
import { isSecretName, maskText } from "./mask-secrets";
import { isSecretUnder, maxNameStart, type ResultShape, resultShapes } from "./result-shapes";
import { mayHoldPrivateKey, mayHoldSecret, privateKeyMarker } from "./secret-shapes";

/** Characters of a piece; `maskText` yields to the event loop between two pieces. */
const pieceChars = 32_768;
/** Longest line in one piece. A longer line is cut at a separator, so that the cut hits no secret. */
const maxLineChars = 1_048_576;
/** Longest secret without a comma, a brace, a blank or an ampersand. */
const maxWordChars = 16_384;
/** Shortest secret that is also masked elsewhere in the text, because a shorter one may be an ordinary word. */
const minRepeatedChars = 16;
const maxRepeated = 50;
const keyPart = /[A-Za-z0-9+/]{16,}={0,2}/g;
/** A line of base64, which may have a line number, quotes or diff marks around it. */
const keyLine = /^(?:\s*\d+[\t:|])?[\s"'>|+-]*[A-Za-z0-9+/]{16,}={0,2}(?:\\[nr]|[\s"',;+])*$/;
const keyHeader = /^\s*$|^(?:\s*\d+[\t:|])?\s*[A-Za-z][\w-]*: /;
/** Base64 after the marker on the same line, with escaped line ends between. */
const keyInLine = /^(?:\\[nr]|[\s"'+])*[A-Za-z0-9+/]{32}/;

/** State between pieces: whether the previous piece ended inside a private key. */
type Place = { isInKey: boolean };

/** Masks the secrets of one result and counts them over all parts of the result. */
export class ResultMask {
  readonly #secrets = new Set<string>();
  /** Number of different secrets masked so far. */
  get count(): number {
    return this.#secrets.size;
  }

  /** Masks the secrets of a text; searches a long text piece by piece. */
  async maskText(text: string): Promise<string> {
    if (text.length <= pieceChars) return this.#maskRepeated(this.#maskPiece(text));
    const place: Place = { isInKey: false };
    const masked: string[] = [];
    for (let from = 0; from < text.length; ) {
      const to = pieceEnd(text, from);
      masked.push(this.#maskPiece(text.slice(from, to), place));
      from = to;
      await yieldToEventLoop();
    }
    return this.#maskRepeated(masked.join(""));
  }

  /** Masks a short line, such as the progress of a call. */
  maskLine(text: string): string {
    return this.#maskPiece(text);
  }

  /** Copies a value with its texts masked, and with single words masked under secret-sounding names. */
  async maskValue<T extends Json>(value: T, name: string | null = null): Promise<T> {
    return (await this.#maskMember(value, name)) as T;
  }

  async #maskMember(value: Json, name: string | null): Promise<Json> {
    if (typeof value === "string") {
      if (name === null || !isSecretName(name) || /\s/.test(value) || !isSecretUnder(name, value)) return this.maskText(value);
      return this.#mask(value);
    }
    if (Array.isArray(value)) return Promise.all(value.map((member) => this.#maskMember(member, name)));
    if (!value || typeof value !== "object") return value;
    const members = Object.entries(value).map(async ([key, member]) => [this.maskLine(key), await this.#maskMember(member, key)] as const);
    return Object.fromEntries(await Promise.all(members));
  }

  #maskPiece(text: string, place: Place = { isInKey: false }): string {
    const withoutKeys = this.#maskKeys(text, place);
    if (!mayHoldSecret(withoutKeys)) return withoutKeys;
    const small = withoutKeys.toLowerCase();
    return resultShapes
      .filter(({ hints = [], sign }) => hints.every((hint) => small.includes(hint)) && (!sign || sign.test(withoutKeys)))
      .reduce((masked, shape) => this.#maskShape(masked, shape), withoutKeys);
  }

  #maskShape(text: string, { pattern, isSecret }: ResultShape): string {
    return text.replace(pattern, (match: string, ...rest: unknown[]) => {
      const [group] = rest;
      const secret = typeof group === "string" ? group : match;
      const offset = Number(rest.findLast((part) => typeof part === "number"));
      if (isSecret && !isSecret(secret, match, nameStartBefore(text, offset))) return match;
      return match.slice(0, match.length - secret.length) + this.#mask(secret);
    });
  }

  #mask(secret: string): string {
    // A wider shape finds a mask again, which must not count as a second secret.
    if (secret.includes("***")) return secret;
    this.#secrets.add(secret);
    return maskText(secret);
  }

  /** Masks lines of private keys. `place` carries the state, because a piece may begin in the middle of a key. */
  #maskKeys(text: string, place: Place): string {
    if (!place.isInKey && !(mayHoldPrivateKey(text) && privateKeyMarker.test(text))) return text;
    const mask = (part: string) => part.replace(keyPart, (secret) => this.#mask(secret));
    const lines = text.split("\n").map((line) => {
      const marker = privateKeyMarker.exec(line);
      if (marker) {
        place.isInKey = true;
        const behind = marker.index + marker[0].length;
        const rest = line.slice(behind);
        return line.slice(0, behind) + (keyInLine.test(rest) ? mask(rest) : rest);
      }
      if (!place.isInKey) return line;
      if (keyLine.test(line)) return mask(line);
      place.isInKey = keyHeader.test(line);
      return line;
    });
    return lines.join("\n");
  }

  /** Masks every occurrence of long secrets, because a secret found by its name may occur elsewhere without the name. */
  #maskRepeated(text: string): string {
    const long = [...this.#secrets].filter((secret) => secret.length >= minRepeatedChars && /\d/.test(secret));
    return long.slice(0, maxRepeated).reduce((masked, secret) => masked.replaceAll(secret, maskText(secret)), text);
  }
}

/** Returns the part of a name directly before a match. */
function nameStartBefore(text: string, offset: number): string {
  return /[A-Za-z0-9_.-]*$/.exec(text.slice(Math.max(0, offset - maxNameStart), offset))?.[0] ?? "";
}

/** Returns the end of a piece: the next line end, or in a very long line the position after a separator. */
function pieceEnd(text: string, from: number): number {
  const least = from + pieceChars;
  if (least >= text.length) return text.length;
  const lineEnd = text.indexOf("\n", least) + 1;
  if (lineEnd > 0 && lineEnd - from <= maxLineChars) return lineEnd;
  if (lineEnd === 0 && text.length - from <= maxLineChars) return text.length;
  const most = from + maxLineChars;
  const breaks = [",", "}", " ", "&"].map((sign) => text.lastIndexOf(sign, most - 1) + 1).filter((end) => end > most - maxWordChars);
  return breaks[0] ?? most;
}
