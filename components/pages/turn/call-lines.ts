import type { TurnSummary } from "@/contracts/turns/turns";

export type CallLine = Pick<TurnSummary["calls"][number], "name" | "summary" | "editedBy"> & { times: number };

/** Returns the calls of a turn in order; merges equal adjacent calls into one line. */
export function callLines(calls: TurnSummary["calls"]): CallLine[] {
  const lines: CallLine[] = [];
  for (const { name, summary, editedBy } of calls) {
    const last = lines.at(-1);
    if (last?.name === name && last.summary === summary && last.editedBy?.id === editedBy?.id) last.times += 1;
    else lines.push({ name, summary, times: 1, ...(editedBy ? { editedBy } : {}) });
  }
  return lines;
}
