import "server-only";
import { countTokens as count } from "gpt-tokenizer/encoding/o200k_base";
import { LRUCache } from "lru-cache";
import { sha256 } from "@/server/platform/crypto";
import { processWide } from "@/server/platform/process-wide";

const remembered = () => processWide("tokenCounts", () => new LRUCache<string, number>({ max: 20_000 }));

/**
 * Counts the tokens of a text in the o200k vocabulary, cached by text. A control token in the text (`<|endoftext|>`)
 * counts as plain text.
 */
export function countTokens(text: string): number {
  const key = sha256(text);
  const known = remembered().get(key);
  if (known !== undefined) return known;
  const tokens = count(text, { disallowedSpecial: new Set() });
  remembered().set(key, tokens);
  return tokens;
}
