import "server-only";
import { LRUCache } from "lru-cache";
import { sha256 } from "@/server/platform/crypto";
import { processWide } from "@/server/platform/process-wide";
import { countTokensOf } from "@/server/platform/text-encoding/tokenizer";

const remembered = () => processWide("tokenCounts", () => new LRUCache<string, number>({ max: 20_000 }));

/** Counts the tokens of a text in the o200k vocabulary, cached by text. */
export function countTokens(text: string): number {
  const key = sha256(text);
  const known = remembered().get(key);
  if (known !== undefined) return known;
  const tokens = countTokensOf(text);
  remembered().set(key, tokens);
  return tokens;
}
