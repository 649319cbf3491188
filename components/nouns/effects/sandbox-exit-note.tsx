import { IconBoxOff } from "@tabler/icons-react";
import { Fragment } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Decision, RunsOutside } from "@/contracts/decisions/decision";
import classes from "./sandbox-exit-note.module.css";
import { type SandboxExit, sandboxExits } from "./sandbox-exits";

/** Needs of a sandboxed call beyond the sandbox, and what an approval opens. */
export function SandboxExitNote({ decision, canApprove }: { decision: Decision; canApprove: boolean }) {
  const { runsOutside } = decision;
  const exits = decision.sandboxed ? sandboxExits(decision.effects ?? []) : [];
  if (exits.length === 0 && !runsOutside) return null;
  return (
    <div className={shared.askNote}>
      <IconBoxOff size={16} stroke={1.8} aria-hidden className={shared.lineIcon} />
      <div className={`${classes.words} ${shared.shrinks}`}>
        {runsOutside ? <OutsideSentence runsOutside={runsOutside} /> : null}
        {exits.length > 0 ? (
          <p className={shared.wrapping}>
            <strong>Access outside the sandbox:</strong>{" "}
            {exits.map((exit, place) => (
              <Fragment key={exit.words}>
                {place > 0 ? "; " : ""}
                <Exit exit={exit} />
              </Fragment>
            ))}
          </p>
        ) : null}
        {canApprove ? (
          <p className={`${classes.gives} ${shared.wrapping}`}>
            {runsOutside ? "Approval lets this one call run there." : "Approval gives only this access, for this call."}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** States that nothing confines the call, and which settings of an admin it uses. */
function OutsideSentence({ runsOutside: { user, home } }: { runsOutside: RunsOutside }) {
  return (
    <p className={shared.wrapping}>
      <strong>The whole line runs outside the sandbox{user === null ? "" : `, as ${user}`}.</strong>
      {home === null ? null : (
        <>
          {" "}
          Its HOME has the settings in <CodeText>{home}</CodeText>.
        </>
      )}
    </p>
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
