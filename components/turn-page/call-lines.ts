import type { TurnSummary } from "@/contracts/turns";

export type CallLine = { name: string; summary: string; times: number };

/** Returns the calls of a turn in order; merges equal adjacent calls into one line. */
export function callLines(calls: TurnSummary["calls"]): CallLine[] {
  const lines: CallLine[] = [];
  for (const { name, summary } of calls) {
    const last = lines.at(-1);
    if (last?.name === name && last.summary === summary) last.times += 1;
    else lines.push({ name, summary, times: 1 });
  }
  return lines;
}
