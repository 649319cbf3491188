"use client";

import { Anchor } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { call as send } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { isJsonObject } from "@/components/kit/api/read-json";
import shared from "@/components/kit/ui/shared.module.css";
import { orUnloaded } from "@/components/kit/ui/states/unloaded-part";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { DecideButtons } from "@/components/nouns/approvals/answer/decide-buttons";
import { approvalQueries } from "@/components/nouns/approvals/queries";
import { CallArguments } from "@/components/nouns/calls/call-arguments";
import { CallFiles } from "@/components/nouns/calls/call-files";
import { CallResults } from "@/components/nouns/calls/call-results";
import { CallStatusBadge } from "@/components/nouns/calls/call-status-badge";
import { CancelTurn } from "@/components/nouns/turns/cancel-turn";
import { turnQueries } from "@/components/nouns/turns/queries";
import { useJournal } from "@/components/nouns/turns/use-journal";
import { approvalEndpoints } from "@/contracts/browser/approvals/approvals";
import type { Call, Turn } from "@/contracts/turns/turns";
import classes from "./try-tool.module.css";

const CallApp = dynamic(() => import("@/components/nouns/mcp-apps/call-app").then((file) => file.CallApp).catch(orUnloaded), {
  ssr: false,
});

const noEvents: [] = [];

/** Progress of a tried call, its question, and its result. */
export function TriedCall({ turn, primaryArgument, hasApp }: { turn: Turn; primaryArgument: string | null; hasApp: boolean }) {
  const call = turn.calls[0];
  if (!call) return null;
  return (
    <section className={`${shared.stack} ${shared.card}`} aria-label="Result" data-status={call.status}>
      <div className={classes.verdict} role="status">
        <CallStatusBadge status={call.status} />
        {call.durationMs === null ? null : <span data-numeric>{durationText(call.durationMs)}</span>}
        <Anchor component={Link} href={`/turns/${turn.id}`} size="sm" className={classes.toTurn}>
          Open turn
        </Anchor>
      </div>
      {call.status === "awaiting_approval" && call.approvalId !== null ? (
        <Asking key={call.approvalId} call={call} approvalId={call.approvalId} primaryArgument={primaryArgument} />
      ) : null}
      {call.status === "running" ? <TriedProgress turnId={turn.id} call={call} /> : null}
      {turn.finishedAt === null ? (
        <div className={shared.atStart}>
          <CancelTurn turnId={turn.id} />
        </div>
      ) : null}
      {call.directContent === undefined ? null : <FoldableBlock label="Shown to the user directly" text={call.directContent} />}
      <CallResults call={call} />
      {hasApp && call.status === "succeeded" ? <CallApp turnId={turn.id} callId={call.callId} /> : null}
      <CallFiles call={call} />
    </section>
  );
}

/** The last line of progress of a running call, which the turn's event stream carries. */
function TriedProgress({ turnId, call }: { turnId: string; call: Call }) {
  const { progress } = useJournal(turnId, noEvents);
  const line = progress.get(call.callId);
  return line === undefined ? null : (
    <p className={`${shared.note} ${shared.wraps}`} role="status" aria-label="Progress">
      <RevealedText text={line} />
    </p>
  );
}

type AskingProps = { call: Call; approvalId: string; primaryArgument: string | null };

/** A call that needs an answer, with the form for a person who may answer. */
function Asking({ call, approvalId, primaryArgument }: AskingProps) {
  const client = useQueryClient();
  const decide = useMutation({
    meta: { showsError: true },
    mutationFn: (decision: "approve" | "reject") => send(approvalEndpoints.decide, { params: { id: approvalId }, body: { decision } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: turnQueries.all() }),
        client.invalidateQueries({ queryKey: approvalQueries.all() }),
      ]),
  });
  return (
    <div className={shared.stack}>
      <p className={`${shared.note} ${shared.wraps}`}>
        <RevealedText text={call.decision?.reason ?? "This call needs approval."} />
      </p>
      {isJsonObject(call.arguments) ? (
        <CallArguments args={call.arguments} primaryArgument={primaryArgument} effects={call.decision?.effects} />
      ) : null}
      <div className={shared.bar}>
        <DecideButtons
          approvalId={approvalId}
          sending={decide.isPending ? decide.variables : null}
          isDecided={decide.isSuccess}
          onDecide={decide.mutate}
        />
        <Anchor component={Link} href={`/approvals?approval=${approvalId}`} size="sm">
          Open approval
        </Anchor>
      </div>
      {decide.isError ? (
        <p className={`${shared.errorText} ${shared.wraps}`} role="alert">
          {toErrorSentence(decide.error)}
        </p>
      ) : null}
    </div>
  );
}
