import type { ToolEffect } from "@/contracts/tools";

/** What a tool with an effect does, and what a caller with it may do. */
export const effectWords: Record<ToolEffect, { does: string; may: string; meaning: string }> = {
  read: { does: "Reads", may: "Read", meaning: "Looks, and changes nothing" },
  write: { does: "Writes", may: "Write", meaning: "Changes what can be changed back" },
  destroy: { does: "Destroys", may: "Destroy", meaning: "What cannot be taken back" },
};

/** The effects that calls may have, in a few words; nothing where they may have all. */
export function limitWords(allowed: readonly ToolEffect[] | null): string | null {
  if (allowed === null) return null;
  const [first, second] = allowed.map((effect) => effectWords[effect].may.toLowerCase());
  if (first === undefined) return "may call nothing";
  return second === undefined ? `may only ${first}` : `may only ${first} and ${second}`;
}
