"use client";

import { Button } from "@mantine/core";
import { useRefusal } from "@/components/kit/session/me";
import { dismissCovered, useCoveredApprovals } from "@/components/nouns/guard/covered-approvals";
import classes from "./covered-approvals-note.module.css";
import { decisionOutbox } from "./decision-outbox";
import { holdMsFor, useUndoSetting } from "./undo-setting";

/** Offers to approve pending calls that a new rule allows, because rules decide only new calls. */
export function CoveredApprovalsNote() {
  const covered = useCoveredApprovals();
  const refusal = useRefusal("approvals:decide");
  const undo = useUndoSetting();
  if (covered.length === 0 || refusal !== null) return null;
  const count = covered.length;
  const approve = () => {
    const expiries = covered.map(({ expiresAt }) => expiresAt);
    decisionOutbox.hold(
      covered.map(({ id }) => ({ id, decision: "approve" })),
      holdMsFor(undo.isOn, expiries, Date.now()),
    );
    dismissCovered();
  };
  return (
    <div className={classes.note} role="status" aria-label="Calls allowed now">
      <span className={classes.words}>{count === 1 ? "1 pending call is allowed now." : `${count} pending calls are allowed now.`}</span>
      <Button size="compact-sm" color="green" onClick={approve}>
        Approve {count === 1 ? "it" : `all ${count}`}
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={dismissCovered}>
        Leave pending
      </Button>
    </div>
  );
}
