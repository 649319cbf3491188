import { IconBoxOff } from "@tabler/icons-react";
import { Fragment } from "react";
import { CodeText } from "@/components/ui/code-text";
import { RevealedText } from "@/components/ui/revealed-text";
import type { Decision } from "@/contracts/decision";
import classes from "./sandbox-exit-note.module.css";
import { type SandboxExit, sandboxExits } from "./sandbox-exits";

/** Needs of a sandboxed call beyond the sandbox, and what an approval opens. */
export function SandboxExitNote({ decision, canApprove }: { decision: Decision; canApprove: boolean }) {
  const exits = decision.sandboxed ? sandboxExits(decision.effects ?? []) : [];
  if (exits.length === 0) return null;
  return (
    <div className={classes.note}>
      <IconBoxOff size={16} stroke={1.8} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <p className={classes.sentence}>
          <strong>Access outside the sandbox:</strong>{" "}
          {exits.map((exit, place) => (
            <Fragment key={exit.words}>
              {place > 0 ? "; " : ""}
              <Exit exit={exit} />
            </Fragment>
          ))}
        </p>
        {canApprove ? <p className={classes.gives}>Approval gives only this access, for this call.</p> : null}
      </div>
    </div>
  );
}

const shownTargets = 3;

function Exit({ exit: { words, targets, after } }: { exit: SandboxExit }) {
  const hidden = targets.length - shownTargets;
  return (
    <>
      {words}
      {targets.length > 0 ? " " : ""}
      {targets.slice(0, shownTargets).map((target, place) => (
        <Fragment key={target}>
          {place > 0 ? ", " : ""}
          <CodeText>
            <RevealedText text={target} />
          </CodeText>
        </Fragment>
      ))}
      {hidden > 0 ? ` and ${hidden} more` : ""}
      {after ? ` ${after}` : ""}
    </>
  );
}
