import { IconHeartbeat } from "@tabler/icons-react";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import { durationText } from "./duration-text";
import type { Recovery } from "./segments-of-journal";
import classes from "./timeline.module.css";

/** Where the replica that worked on the turn was gone: when another one took over, and what that meant for the calls. */
export function RecoveryMark({ recovery, nameOf }: { recovery: Recovery; nameOf: (callId: string) => string }) {
  const { at, lastSeen, again, interrupted } = recovery;
  return (
    <li className={classes.chapter} data-kind="recovery">
      <div className={classes.mark}>
        <IconHeartbeat size={16} stroke={1.8} aria-hidden className={classes.markIcon} />
        <div className={classes.markWords}>
          <p className={classes.line}>
            <strong>The replica that worked on this turn stopped, and another one took over</strong>{" "}
            <span className={classes.dim}>
              {lastSeen ? `${durationText(Date.parse(at) - Date.parse(lastSeen))} after its last sign of life, ` : null}
              <RelativeTime at={at} />
            </span>
          </p>
          {again.length > 0 ? (
            <p className={classes.dim}>
              <Names ids={again} nameOf={nameOf} /> ran again: running it twice does no harm.
            </p>
          ) : null}
          {interrupted.length > 0 ? (
            <p className={classes.dim}>
              <Names ids={interrupted} nameOf={nameOf} /> {interrupted.length === 1 ? "was" : "were"} cut off. Nobody knows what{" "}
              {interrupted.length === 1 ? "it has" : "they have"} done, so {interrupted.length === 1 ? "it was" : "they were"} not run
              again.
            </p>
          ) : null}
          {again.length + interrupted.length === 0 ? <p className={classes.dim}>No call was running, so nothing was lost.</p> : null}
        </div>
      </div>
    </li>
  );
}

function Names({ ids, nameOf }: { ids: readonly string[]; nameOf: (callId: string) => string }) {
  return ids.map((id, place) => (
    <span key={id}>
      {place === 0 ? "" : place === ids.length - 1 ? " and " : ", "}
      <MachineText>
        <RevealedText text={nameOf(id)} />
      </MachineText>
    </span>
  ));
}
