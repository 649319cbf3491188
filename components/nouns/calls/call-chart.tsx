import shared from "@/components/kit/ui/shared.module.css";
import { ChartView } from "@/components/nouns/call-views/lazy-views";
import { readChart } from "@/components/nouns/call-views/read-chart";
import type { Call } from "@/contracts/turns/turns";
import classes from "./call-card.module.css";

/** The chart in a result, when its tool wrote one. */
export function CallChart({ call }: { call: Pick<Call, "name" | "content"> }) {
  const chart = readChart(call.content);
  if (!chart) return null;
  return (
    <figure className={`${classes.card} ${shared.framed}`} aria-label={`Chart of ${call.name}`}>
      <ChartView chart={chart} />
    </figure>
  );
}
