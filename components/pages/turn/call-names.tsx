import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { EditedBadge } from "@/components/nouns/calls/edited-by";
import type { TurnSummary } from "@/contracts/turns/turns";
import { callLines } from "./call-lines";
import classes from "./call-names.module.css";

const shown = 3;

/** The calls of a turn, one per line: the tool and its main argument. */
export function CallNames({ turn: { calls, title } }: { turn: TurnSummary }) {
  const lines = callLines(calls);
  const more = lines.length - shown;
  return (
    <span className={shared.lines}>
      {title ? (
        <span className={`${shared.oneLine} ${shared.small}`}>
          <RevealedText text={title} />
        </span>
      ) : null}
      {lines.slice(0, shown).map(({ name, summary, times, editedBy }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <span key={place} className={shared.oneLine}>
          <CodeText>{times > 1 ? `${name} ×${times}` : name}</CodeText>{" "}
          <span className={classes.summary}>
            <RevealedText text={summary} />
          </span>{" "}
          <EditedBadge by={editedBy} />
        </span>
      ))}
      {more > 0 ? <span className={`${shared.oneLine} ${shared.small}`}>and {more} more</span> : null}
    </span>
  );
}
