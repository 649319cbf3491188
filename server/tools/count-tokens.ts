import "server-only";
import { countTokens as count } from "gpt-tokenizer/encoding/o200k_base";
import { sha256 } from "@/server/platform/crypto";
import { processWide } from "@/server/platform/process-wide";

const remembered = () => processWide("tokenCounts", () => new Map<string, number>());
const rememberedAtMost = 20_000;

/**
 * Tokens of a text in the o200k vocabulary, counted once a text. Text that looks like a control token
 * (`<|endoftext|>`) is counted as the plain text that it is.
 */
export function countTokens(text: string): number {
  const key = sha256(text);
  const known = remembered().get(key);
  if (known !== undefined) return known;
  const tokens = count(text, { disallowedSpecial: new Set() });
  if (remembered().size >= rememberedAtMost) remembered().clear();
  remembered().set(key, tokens);
  return tokens;
}
