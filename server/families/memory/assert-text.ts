import type { ActorRef } from "@/contracts/common";
import { AppError } from "@/server/platform/errors";

/** Characters that draw nothing or reorder their neighbours, except tab, line feed and carriage return. */
const hiddenPattern = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}]|\p{Default_Ignorable_Code_Point}/gu;
/** Joiners and selectors inside an emoji shape its picture, and joiners between letters shape some scripts. */
const emojiPattern = /\p{Extended_Pictographic}\ufe0f?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*/gu;
const joinedPattern = /(?<=\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Malayalam})[\u200c\u200d]/gu;

/** Sentences by which a text tries to command its later reader. */
const orders: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|my\s+)?(?:previous|prior|above|earlier|former|system)\s+(?:instructions?|prompts?|rules?|messages?)/i,
  /\b(?:reveal|print|repeat|show)\s+(?:me\s+)?(?:your|the)\s+(?:system\s+prompt|hidden\s+instructions?)/i,
  /\b(?:do\s+not|don't|never)\s+(?:tell|inform|mention\s+(?:this|it)\s+to)\s+the\s+(?:user|person|admin)/i,
  /<\/?(?:system|memory|assistant|tool_result)\b[^>\n]{0,80}>/i,
  /忽略(?:之前|以上|先前|所有)(?:的)?(?:指令|指示|提示)/,
];

type Place = { line: number; what: string };

/** Returns the first hidden character of a text with its line; null when there is none. */
export function findHiddenCharacter(text: string): Place | null {
  const allowed = new Set<number>();
  for (const pattern of [emojiPattern, joinedPattern]) {
    for (const match of text.matchAll(pattern)) for (let at = match.index; at < match.index + match[0].length; at++) allowed.add(at);
  }
  for (const match of text.matchAll(hiddenPattern)) {
    if (allowed.has(match.index)) continue;
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return { line: lineOf(text, match.index), what: `U+${code}` };
  }
  return null;
}

/** Returns the first sentence of a text that commands its reader; null when there is none. */
export function findOrder(text: string): Place | null {
  for (const pattern of orders) {
    const match = pattern.exec(text);
    if (match) return { line: lineOf(text, match.index), what: match[0].slice(0, 80) };
  }
  return null;
}

/**
 * Refuses what must not be remembered: hidden characters from anybody, and orders to its later reader from anybody but a
 * person, because what an agent writes may come from a page that it read.
 * @throws AppError `invalid` that names the field and the line
 */
export function assertText(field: string, text: string, { type }: Pick<ActorRef, "type">): void {
  const hidden = findHiddenCharacter(text);
  if (hidden) {
    throw new AppError(
      "invalid",
      `${field}: line ${hidden.line} has the hidden character ${hidden.what}. Remove it and send the text again.`,
    );
  }
  const order = type === "user" ? null : findOrder(text);
  if (order) {
    throw new AppError(
      "invalid",
      `${field}: line ${order.line} gives orders ("${order.what}"), and memory holds information. Write what is true instead; only a person may store such a line.`,
    );
  }
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;
