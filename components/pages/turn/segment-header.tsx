import shared from "@/components/kit/ui/shared.module.css";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import type { JournalSegment } from "./journal-segments";
import classes from "./timeline.module.css";

/** Number, size and time of a segment. */
export function SegmentHeader({ number, segment, isWaiting }: { number: number; segment: JournalSegment; isWaiting: boolean }) {
  const count = segment.groups.flat().length;
  const lasted = lastedWords(segment, isWaiting);
  return (
    <header className={classes.header}>
      <h2 className={shared.title}>Batch {number}</h2>
      <span className={`${classes.dim} ${shared.note}`}>
        {count} {count === 1 ? "call" : "calls"}
      </span>
      {lasted === null ? null : (
        <span className={`${classes.dim} ${shared.note}`} data-numeric>
          {lasted}
        </span>
      )}
      {segment.from ? (
        <span className={`${classes.dim} ${shared.note}`}>
          <RelativeTime at={segment.from} />
        </span>
      ) : null}
    </header>
  );
}

function lastedWords({ from, until }: JournalSegment, isWaiting: boolean): string | null {
  if (from === null) return isWaiting ? "starts after approval" : "not started";
  return until === null ? null : durationText(Date.parse(until) - Date.parse(from));
}
