"use client";

import { Anchor, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { DecisionStory } from "@/components/guard/decision-story";
import { SentArguments } from "@/components/hooks/sent-arguments";
import { CallArguments } from "@/components/turns/call-arguments";
import { CallStatusBadge } from "@/components/turns/call-status-badge";
import { turnQueries } from "@/components/turns/queries";
import { DetailDrawer } from "@/components/ui/detail-drawer";
import { ErrorState } from "@/components/ui/error-state";
import { Facts } from "@/components/ui/facts";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/short-id";
import type { Approval } from "@/contracts/approvals";
import { AnswerForm } from "./answer-form";
import { CallTitle } from "./approval-card";
import classes from "./approval-drawer.module.css";
import { approvalQueries } from "./queries";
import { SettledNote } from "./settled-note";
import { useDecide } from "./use-decide";

/** The whole story of one approval: the call, every rule that was tried, its place in the turn, and the answer. */
export function ApprovalDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { data: approval, error, refetch, isRefetching } = useQuery({ ...approvalQueries.one(id ?? ""), enabled: id !== null });
  return (
    <DetailDrawer
      opened={id !== null}
      onClose={onClose}
      title={approval?.tool.title ?? "Approval"}
      footer={approval ? <Answer key={approval.id} approval={approval} /> : null}
    >
      {approval ? (
        <Story approval={approval} />
      ) : error ? (
        <ErrorState error={error} what="this approval" retry={refetch} retrying={isRefetching} />
      ) : (
        <Stack aria-hidden>
          <Skeleton height={40} />
          <Skeleton height={120} />
          <Skeleton height={160} />
        </Stack>
      )}
    </DetailDrawer>
  );
}

function Answer({ approval }: { approval: Approval }) {
  const decide = useDecide();
  if (approval.status !== "pending") {
    return <SettledNote approval={approval} answeredHere={decide.isSuccess || decide.isPending} refusal={decide.error} />;
  }
  return (
    <AnswerForm
      approval={approval}
      error={decide.error}
      busy={decide.isPending}
      onAnswer={(answer) => decide.mutate({ approval, answer })}
    />
  );
}

function Story({ approval }: { approval: Approval }) {
  return (
    <Stack gap="lg">
      <CallTitle approval={approval} />
      <CallArguments args={approval.arguments} primaryArgument={approval.tool.primaryArgument} />
      {approval.sentArguments ? (
        <SentArguments sent={approval.sentArguments} runs={approval.arguments} hooks={approval.hooks ?? []} />
      ) : null}
      <section>
        <h3 className={classes.heading}>Decision of the guard</h3>
        <DecisionStory decision={approval.decision} />
      </section>
      <section>
        <h3 className={classes.heading}>Its place in the turn</h3>
        <TurnCalls approval={approval} />
      </section>
      {approval.votes.length > 0 ? (
        <section>
          <h3 className={classes.heading}>Answers</h3>
          <ul className={classes.votes}>
            {approval.votes.map((vote) => (
              <VoteLine key={`${vote.actor.id} ${vote.at}`} vote={vote} />
            ))}
          </ul>
        </section>
      ) : null}
      <Facts
        facts={[
          ["Expires", <RelativeTime key="expires" at={approval.expiresAt} />],
          ["Arguments digest", <ShortId key="digest" id={approval.argumentsDigest} what="digest of the arguments" />],
          ["Conversation", <ShortId key="conversation" id={approval.conversationId} what="conversation id" />],
          ["Call", <ShortId key="call" id={approval.callId} what="call id" />],
          ["Approval", <ShortId key="approval" id={approval.id} what="approval id" />],
        ]}
      />
      <p className={classes.promise}>
        What runs is exactly what is shown here: the answer is bound to the digest of these arguments, and does not count when they change.
      </p>
    </Stack>
  );
}

function TurnCalls({ approval }: { approval: Approval }) {
  const { data: turn } = useQuery(turnQueries.one(approval.turnId));
  if (!turn) return <Skeleton height={64} />;
  return (
    <>
      <ol className={classes.calls}>
        {turn.calls.map((call) => (
          <li key={call.callId} className={classes.call} aria-current={call.callId === approval.callId || undefined}>
            <MachineText>{call.name}</MachineText>
            <CallStatusBadge status={call.status} plain />
          </li>
        ))}
      </ol>
      <Anchor component={Link} href={`/turns/${turn.id}`} size="sm">
        See the turn
      </Anchor>
    </>
  );
}

function VoteLine({ vote }: { vote: Approval["votes"][number] }) {
  return (
    <li>
      {vote.actor.name} {vote.decision === "approve" ? "approved" : "rejected"} <RelativeTime at={vote.at} />
      {vote.comment ? <blockquote className={classes.comment}>{vote.comment}</blockquote> : null}
    </li>
  );
}
