import { IconHeartbeat } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Recovery } from "./journal-segments";
import classes from "./timeline.module.css";

/** The takeover by another replica: its time and its effect on the calls. */
export function RecoveryMark({ recovery, nameOf }: { recovery: Recovery; nameOf: (callId: string) => string }) {
  const { at, lastSeen, again, interrupted } = recovery;
  return (
    <li className={classes.chapter} data-kind="recovery">
      <div className={classes.mark}>
        <IconHeartbeat size={16} stroke={1.8} aria-hidden className={classes.markIcon} />
        <div className={classes.markWords}>
          <p className={shared.flush}>
            <strong>The replica of this turn stopped, and another replica took over</strong>{" "}
            <span className={`${classes.dim} ${shared.note}`}>
              {lastSeen ? `${durationText(Date.parse(at) - Date.parse(lastSeen))} after its last heartbeat, ` : null}
              <RelativeTime at={at} />
            </span>
          </p>
          {again.length > 0 ? (
            <p className={`${classes.dim} ${shared.note}`}>
              <Names ids={again} nameOf={nameOf} /> ran again: running it twice does no harm.
            </p>
          ) : null}
          {interrupted.length > 0 ? (
            <p className={`${classes.dim} ${shared.note}`}>
              <Names ids={interrupted} nameOf={nameOf} /> {interrupted.length === 1 ? "was" : "were"} interrupted with an unknown outcome,
              so {interrupted.length === 1 ? "it was" : "they were"} not run again.
            </p>
          ) : null}
          {again.length + interrupted.length === 0 ? (
            <p className={`${classes.dim} ${shared.note}`}>No call was running, so nothing was lost.</p>
          ) : null}
        </div>
      </div>
    </li>
  );
}

function Names({ ids, nameOf }: { ids: readonly string[]; nameOf: (callId: string) => string }) {
  return ids.map((id, place) => (
    <span key={id}>
      {place === 0 ? "" : place === ids.length - 1 ? " and " : ", "}
      <CodeText>
        <RevealedText text={nameOf(id)} />
      </CodeText>
    </span>
  ));
}
