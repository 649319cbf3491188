import type { ToolEffect } from "@/contracts/tools/tools";

/** Words for each effect of a tool and for the matching limit of a caller. */
export const effectWords: Record<ToolEffect, { does: string; may: string; meaning: string }> = {
  read: { does: "Read-only", may: "Read", meaning: "Changes nothing" },
  write: { does: "Write", may: "Write", meaning: "Reversible changes" },
  destroy: { does: "Destructive", may: "Destroy", meaning: "Irreversible changes" },
};

/** Describes the allowed effects in a few words; null without a limit. */
export function limitWords(allowed: readonly ToolEffect[] | null): string | null {
  if (allowed === null) return null;
  if (allowed.length === 0) return "may call nothing";
  const words = allowed.map((effect) => effectWords[effect].may.toLowerCase());
  return `may only ${new Intl.ListFormat("en-GB").format(words)}`;
}
