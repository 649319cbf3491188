import { verdictWords } from "@/components/kit/ui/badges/verdict-words";
import type { RulePreview } from "@/contracts/guard/guard";

/** Summarizes the preview of a rule: "Would change 3 of the last 50 calls: 2 Ask to Allow, 1 Allow to Deny." */
export function summarizePreview({ calls, examined }: Pick<RulePreview, "calls" | "examined">): { changed: number; sentence: string } {
  const flips = new Map<string, number>();
  for (const { before, after } of calls) {
    if (before === after) continue;
    const flip = `${verdictWords[before]} to ${verdictWords[after]}`;
    flips.set(flip, (flips.get(flip) ?? 0) + 1);
  }
  const changed = [...flips.values()].reduce((sum, count) => sum + count, 0);
  const last = examined === 1 ? "the last call" : `the last ${examined} calls`;
  if (changed === 0) return { changed, sentence: `Would change nothing about ${last}.` };
  const list = [...flips].toSorted(([, a], [, b]) => b - a).map(([flip, count]) => `${count} ${flip}`);
  return { changed, sentence: `Would change ${changed} of ${last}: ${list.join(", ")}.` };
}
