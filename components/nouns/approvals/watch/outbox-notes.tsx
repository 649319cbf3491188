"use client";

import { Button, CloseButton, Progress } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { useEffect, useRef } from "react";
import { useIsConnectionLost } from "@/components/kit/api/connection-note";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { grantQueries } from "@/components/nouns/grants/queries";
import { offerCovered } from "@/components/nouns/guard/covered-approvals";
import { refreshApprovals } from "../inbox/refresh-rows";
import { decisionOutbox, onDecisionsTaken, unreachable, useOutbox } from "../outbox/decision-outbox";
import type { Batch } from "../outbox/outbox";
import { SecondsUntil } from "../outbox/undo-note";
import { approvalQueries } from "../queries";
import { approvalSearch } from "../search-params";
import classes from "./outbox-notes.module.css";

/** Limit of refusal details kept for a large batch. */
const maxRemembered = 50;
const reasonsShown = 3;
const doneShownMs = 6_000;

/** Decisions that can be undone, are being sent, or were refused; on every page, because people navigate meanwhile. */
export function OutboxNotes() {
  const client = useQueryClient();
  const { batches } = useOutbox();
  const [openId] = useQueryState("approval", approvalSearch.approval);

  useEffect(
    () =>
      onDecisionsTaken((approvals) => {
        for (const approval of approvals.slice(0, maxRemembered)) {
          client.setQueryData(approvalQueries.one(approval.id).queryKey, approval);
        }
        void refreshApprovals(client, new Set(approvals.map(({ id }) => id)));
        const isAllowing = approvals.some(({ id }) => decisionOutbox.read().outcomes.get(id)?.decision.remember !== undefined);
        if (!isAllowing) return;
        void client.invalidateQueries({ queryKey: grantQueries.all() });
        void offerCovered();
      }),
    [client],
  );
  useEffect(() => {
    // Sends held decisions when the page is hidden or left: the last moment at which every browser lets a page act.
    const leave = () => void decisionOutbox.flush({ keepalive: true });
    const hide = () => {
      if (document.visibilityState === "hidden") leave();
    };
    window.addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", hide);
    return () => {
      window.removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", hide);
    };
  }, []);

  return (
    <div className={classes.place} role="status" aria-label="Decisions">
      {batches
        .filter((batch) => isWorthANote(batch, openId))
        .map((batch) => (
          <Note key={batch.id} batch={batch} />
        ))}
    </div>
  );
}

/**
 * Returns whether a batch needs a note. A single decision needs none while its approval is open, which shows the same,
 * nor after success.
 */
function isWorthANote({ decisions, state, refused }: Batch, openId: string | null): boolean {
  if (decisions.length > 1) return true;
  return decisions[0]?.id !== openId && (state === "held" || (state === "done" && refused.length > 0));
}

function Note({ batch }: { batch: Batch }) {
  const { id, state, sendAt, answered, refused } = batch;
  useDismissedWhenBack(batch);
  const count = batch.decisions.length;
  const isDone = state === "done";
  useEffect(() => {
    if (!isDone || refused.length > 0) return;
    const timer = setTimeout(() => decisionOutbox.dismiss(id), doneShownMs);
    return () => clearTimeout(timer);
  }, [isDone, refused.length, id]);
  return (
    <div className={classes.note}>
      <div className={classes.line}>
        <span className={classes.words}>
          {state === "held" ? (
            <>
              {verbOf(batch, "ing")} {callsOf(count)} in <SecondsUntil at={sendAt} />
            </>
          ) : isDone ? (
            doneWords(batch)
          ) : (
            `Sending ${answered.toLocaleString("en")} of ${count.toLocaleString("en")}…`
          )}
        </span>
        {state === "held" ? (
          <>
            <Button variant="default" size="compact-sm" onClick={() => decisionOutbox.undo(id)}>
              Undo
            </Button>
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => void decisionOutbox.sendNow(id)}>
              Send now
            </Button>
          </>
        ) : isDone ? (
          <CloseButton aria-label="Dismiss" size="sm" onClick={() => decisionOutbox.dismiss(id)} />
        ) : null}
      </div>
      {state === "sending" && count > 1 ? <Progress value={(answered / count) * 100} size="xs" aria-label="Decisions sent" /> : null}
      {isDone && refused.length > 0 ? <Reasons refused={refused} /> : null}
    </div>
  );
}

/** Takes the note of decisions that could not be sent away when the connection is back; each approval still says it. */
function useDismissedWhenBack({ id, refused }: Batch) {
  const isUnsent = refused.length > 0 && refused.every(({ refusal }) => refusal.code === unreachable);
  const isLost = useIsConnectionLost();
  const wasLost = useRef(isLost);
  useEffect(() => {
    if (wasLost.current && !isLost && isUnsent) decisionOutbox.dismiss(id);
    wasLost.current = isLost;
  }, [isLost, isUnsent, id]);
}

function Reasons({ refused }: Pick<Batch, "refused">) {
  const reasons = [...Map.groupBy(refused, ({ refusal }) => refusal.detail)].sort(([, a], [, b]) => b.length - a.length);
  return (
    <ul className={classes.reasons}>
      {reasons.slice(0, reasonsShown).map(([detail, those]) => (
        <li key={detail}>
          {those.length > 1 ? `${those.length}: ` : ""}
          <RevealedText text={detail} />{" "}
          {those[0] ? (
            <Link href={`/approvals?approval=${those[0].id}`} className={classes.link}>
              {those.length > 1 ? "Open the first" : "Open"}
            </Link>
          ) : null}
        </li>
      ))}
      {reasons.length > reasonsShown ? <li>and {reasons.length - reasonsShown} more reasons</li> : null}
    </ul>
  );
}

/** The outcome of a batch; a decision that never reached the server is no refusal. */
function doneWords(batch: Batch): string {
  const { refused, decisions } = batch;
  const done = decisions.length - refused.length;
  const unsent = refused.filter(({ refusal }) => refusal.code === unreachable).length;
  const parts = [
    ...(done > 0 ? [`${verbOf(batch, "ed")} ${callsOf(done)}`] : []),
    ...(unsent > 0 ? [`Could not send ${decisionsOf(unsent)}`] : []),
    ...(refused.length > unsent ? [`${decisionsOf(refused.length - unsent)} refused`] : []),
  ];
  return `${parts.join(". ")}${refused.length > 0 ? ":" : "."}`;
}

function verbOf({ decisions: [first] }: Batch, ending: "ed" | "ing"): string {
  const stem = first?.answer !== undefined ? "Answer" : first?.decision === "reject" ? "Reject" : "Approv";
  return `${stem}${ending}`;
}

const decisionsOf = (count: number) => (count === 1 ? "1 decision" : `${count.toLocaleString("en")} decisions`);

const callsOf = (count: number) => (count === 1 ? "1 call" : `${count.toLocaleString("en")} calls`);
