import type { ReactNode } from "react";
import type { JournalEvent } from "@/components/nouns/turns/journal-event";
import type { Call } from "@/contracts/turns/turns";
import { type JournalSegment, toSegments } from "./journal-segments";
import { RecoveryMark } from "./recovery-mark";
import { SegmentHeader } from "./segment-header";
import classes from "./timeline.module.css";
import { WaitMark } from "./wait-mark";

type TimelineProps = {
  calls: readonly Call[];
  journal: readonly JournalEvent[];
  /** Names of tools that never run in parallel. */
  aloneTools: ReadonlySet<string>;
  draw: (call: Call) => ReactNode;
};

/** A turn from its start: segments, waits for people, and recoveries. */
export function Timeline({ calls, journal, aloneTools, draw }: TimelineProps) {
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const nameOf = (callId: string) => byId.get(callId)?.name ?? "A call";
  const alone = new Set(calls.filter(({ name }) => aloneTools.has(name)).map(({ callId }) => callId));
  const chapters = toSegments(journal, { callIds: calls.map(({ callId }) => callId), alone });
  let segments = 0;
  return (
    <ol className={classes.timeline} aria-label="Timeline">
      {chapters.map((chapter, place) => {
        const key = place; // The position is a stable key, because past chapters keep their positions.
        if (chapter.kind === "wait") return <WaitMark key={key} wait={chapter} name={nameOf(chapter.callId)} />;
        if (chapter.kind === "recovery") return <RecoveryMark key={key} recovery={chapter} nameOf={nameOf} />;
        segments += 1;
        return (
          <li key={key} className={classes.chapter} data-kind="segment">
            <SegmentHeader number={segments} segment={chapter} isWaiting={isWait(chapters[place - 1])} />
            <Groups segment={chapter} byId={byId} draw={draw} />
          </li>
        );
      })}
    </ol>
  );
}

const isWait = (chapter: ReturnType<typeof toSegments>[number] | undefined) => chapter?.kind === "wait" && chapter.until === null;

function Groups({ segment, byId, draw }: { segment: JournalSegment; byId: ReadonlyMap<string, Call>; draw: (call: Call) => ReactNode }) {
  return segment.groups.map((group) => {
    const cards = group.flatMap((id) => byId.get(id) ?? []);
    return cards.length > 1 ? (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
      <div key={group[0]} role="group" aria-label={`${cards.length} calls side by side`} className={classes.together}>
        <p className={classes.togetherWords} aria-hidden>
          {cards.length} calls side by side
        </p>
        {cards.map((call) => (
          <div key={call.callId}>{draw(call)}</div>
        ))}
      </div>
    ) : (
      cards.map((call) => <div key={call.callId}>{draw(call)}</div>)
    );
  });
}
