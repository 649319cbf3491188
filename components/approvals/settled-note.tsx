import { Anchor } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import Link from "next/link";
import { isApiProblem } from "@/components/api/api-problem";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Approval } from "@/contracts/approvals";
import { ApprovalStatusBadge } from "./approval-status-badge";
import classes from "./settled-note.module.css";

type SettledNoteProps = {
  approval: Approval;
  /** The answer was given on this screen. */
  answeredHere?: boolean;
  /** Why an answer from this screen did not count. */
  refusal?: unknown;
};

/** How an approval ended, who ended it and what comes of it. */
export function SettledNote({ approval, answeredHere = false, refusal = null }: SettledNoteProps) {
  const cameSecond = isApiProblem(refusal) && refusal.problem.code === "already_decided";
  return (
    <div className={classes.note} data-status={approval.status} role="status">
      <div className={classes.line}>
        <ApprovalStatusBadge status={approval.status} />
        <span className={classes.who}>
          {answeredHere ? null : byWhom(approval)}
          {approval.decidedAt && !answeredHere ? <RelativeTime at={approval.decidedAt} /> : null}
        </span>
      </div>
      <p className={classes.outcome}>{outcome(approval, answeredHere)}</p>
      {cameSecond ? <p className={classes.outcome}>Your answer came second and changed nothing.</p> : null}
      {approval.comment ? <blockquote className={classes.comment}>{approval.comment}</blockquote> : null}
      {approval.drift.length > 0 ? (
        <ul className={classes.drift}>
          {approval.drift.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      ) : null}
      <Anchor component={Link} href={`/turns/${approval.turnId}`} size="sm" className={classes.turn}>
        See the turn <IconArrowRight size={14} aria-hidden />
      </Anchor>
    </div>
  );
}

function byWhom(approval: Approval): string {
  return approval.decidedBy && approval.decidedBy.type !== "system" ? `by ${approval.decidedBy.name} ` : "";
}

function outcome(approval: Approval, answeredHere: boolean): string {
  switch (approval.status) {
    case "approved":
      return answeredHere ? "Approved, the turn goes on." : "The call ran and the turn went on.";
    case "rejected":
      return approval.comment ? "The call did not run. The model reads:" : "The call did not run. The model was told that it was rejected.";
    case "expired":
      return "Nobody answered in time. The call did not run, and the model was told.";
    case "cancelled":
      return "The turn was cancelled before anybody answered.";
    case "void":
      return "What was asked had changed before it could run, so the answer does not count.";
    case "pending":
      return "";
  }
}
