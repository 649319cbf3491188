import "server-only";
import nodeModule from "node:module";
import type * as o200k from "gpt-tokenizer/encoding/o200k_base";

let loaded: typeof o200k | null = null;

/**
 * Loads the vocabulary, which takes some tenths of a second: the first count does it, unless the start did it before.
 * `createRequire` is not imported by name, because bundles declare that name in their first line.
 */
export function loadTokenizer(): typeof o200k {
  loaded ??= nodeModule.createRequire(import.meta.url)(/* turbopackIgnore: true */ "gpt-tokenizer/encoding/o200k_base") as typeof o200k;
  return loaded;
}

/** Counts the tokens of a text in the o200k vocabulary. A control token in the text (`<|endoftext|>`) counts as plain text. */
export const countTokensOf = (text: string): number => loadTokenizer().countTokens(text, { disallowedSpecial: new Set() });
