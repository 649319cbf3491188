"use client";

import { IconHelpCircle, IconLock } from "@tabler/icons-react";
import { memo } from "react";
import { RiskMark } from "@/components/kit/ui/badges/risk-mark";
import { onPlainClick } from "@/components/kit/ui/lists/plain-click";
import shared from "@/components/kit/ui/shared.module.css";
import { useNow } from "@/components/kit/ui/text/now";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { InboxRow as Row } from "@/contracts/approvals/approvals";
import { askedByWords } from "../asked-by";
import { useOutcome } from "../outbox/decision-outbox";
import type { Outcome } from "../outbox/outbox";
import { timeLeft } from "../time-left";
import classes from "./inbox-list.module.css";

type InboxRowProps = {
  row: Row;
  /** Position in the list, from 0, and the number of lines. */
  place: number;
  size: number;
  isOpen: boolean;
  isSelected: boolean;
  isInGroup: boolean;
  /** Place among the calls of its reply, from 1, and their number; null for the only one. */
  replyPlace: number | null;
  replyCount: number | null;
  onOpen: (id: string) => void;
  onSelect: (row: Row) => void;
};

/** One approval as a line of 40 px: the call, its risk, its agent, and the time left. */
export const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { row, place, size, isOpen, isSelected, isInGroup, replyPlace, replyCount, onOpen, onSelect } = props;
  const outcome = useOutcome(row.id);
  const isSettled = outcome !== undefined && outcome.state !== "refused";
  const { isAllowed, reason } = row.mayDecide;
  const askedBy = askedByWords(row);
  return (
    <li
      className={classes.row}
      data-approval={row.id}
      data-place={place}
      data-pending={!isSettled || undefined}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      data-in-group={isInGroup || undefined}
      data-reply={replyPlace ?? undefined}
      aria-setsize={size}
      aria-posinset={place + 1}
    >
      <label className={classes.tick} title={isAllowed ? undefined : (spellHidden(reason) ?? undefined)}>
        <input
          type="checkbox"
          aria-label={`Select ${row.summary}`}
          checked={isSelected}
          disabled={!isAllowed || isSettled}
          onChange={() => onSelect(row)}
        />
      </label>
      <a
        className={classes.link}
        href={`/approvals?approval=${row.id}`}
        data-row
        aria-current={isOpen || undefined}
        onClick={onPlainClick(() => onOpen(row.id))}
      >
        <span className={classes.first}>
          {row.kind === "question" ? <IconHelpCircle size={14} role="img" aria-label="Question" className={shared.dimIcon} /> : null}
          <span
            className={
              row.kind === "question" ? `${classes.question} ${shared.oneLine} ${shared.medium}` : `${classes.what} ${shared.oneLine}`
            }
          >
            <RevealedText text={row.summary} />
          </span>
          {isAllowed ? null : <IconLock size={13} role="img" aria-label={reason ?? "You may not decide this"} className={shared.dimIcon} />}
          {outcome ? <OutcomeWord outcome={outcome} /> : <TimeLeft expiresAt={row.expiresAt} />}
        </span>
        <span className={classes.second}>
          <RiskMark risk={row.risk} />
          <span className={`${classes.agent} ${shared.oneLine}`}>
            <RevealedText text={row.agent} />
          </span>
          {askedBy ? (
            <span className={`${classes.asked} ${shared.oneLine}`} title={spellHidden(askedBy)}>
              <RevealedText text={askedBy} />
            </span>
          ) : null}
          <span className={`${classes.tool} ${shared.oneLine}`}>
            <RevealedText text={row.tool.name} />
          </span>
          {replyPlace === null ? null : (
            <span className={classes.votes} title="Calls of one reply of the model">
              call {replyPlace} of {replyCount}
            </span>
          )}
          {row.quorum.needed > 1 ? (
            <span className={classes.votes}>
              {row.quorum.got} of {row.quorum.needed} approvals
            </span>
          ) : null}
        </span>
      </a>
    </li>
  );
});

function TimeLeft({ expiresAt }: { expiresAt: string }) {
  const { text, isLastMinute } = timeLeft(expiresAt, useNow());
  return (
    // The clocks of server and browser may differ by a second.
    <span className={`${classes.time} ${shared.dim}`} data-last-minute={isLastMinute || undefined} data-numeric suppressHydrationWarning>
      <RevealedText text={text} />
    </span>
  );
}

function OutcomeWord({ outcome }: { outcome: Outcome }) {
  const { word, tone } = wordOf(outcome);
  return (
    <span className={classes.outcome} data-tone={tone}>
      {word}
    </span>
  );
}

function wordOf(outcome: Outcome): { word: string; tone: "allow" | "deny" | "unavailable" } {
  const { decision, answer } = outcome.decision;
  const isApproval = decision === "approve";
  switch (outcome.state) {
    case "held":
    case "sending":
      return { word: answer !== undefined ? "Answering…" : isApproval ? "Approving…" : "Rejecting…", tone: "unavailable" };
    case "refused":
      return { word: "Not decided", tone: "deny" };
    case "taken":
      if (outcome.approval.status === "pending") return { word: "Voted", tone: "allow" };
      return { word: answer !== undefined ? "Answered" : isApproval ? "Approved" : "Rejected", tone: isApproval ? "allow" : "deny" };
  }
}
