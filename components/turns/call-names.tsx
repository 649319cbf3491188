import { MachineText } from "@/components/ui/machine-text";
import type { TurnSummary } from "@/contracts/turns";

const shown = 4;

/** The tools of a turn in order; the same one several times in a row is counted. */
export function CallNames({ calls }: { calls: TurnSummary["calls"] }) {
  const runs: { name: string; times: number }[] = [];
  for (const { name } of calls) {
    const last = runs.at(-1);
    if (last?.name === name) last.times += 1;
    else runs.push({ name, times: 1 });
  }
  const more = runs.length - shown;
  return (
    <MachineText>
      {runs
        .slice(0, shown)
        .map(({ name, times }) => (times > 1 ? `${name} ×${times}` : name))
        .join(", ")}
      {more > 0 ? ` and ${more} more` : ""}
    </MachineText>
  );
}
