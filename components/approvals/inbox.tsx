"use client";

import { Anchor, Button } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useShortcuts } from "@/components/shell/shortcuts";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/now";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import type { Approval } from "@/contracts/approvals";
import { ApprovalCard } from "./approval-card";
import { moveToCard, pressOnCard } from "./card-focus";
import classes from "./inbox.module.css";
import { approvalQueries, mostPending } from "./queries";
import { timeLeft } from "./time-left";

/**
 * The approvals that wait, the one that ends first on top. Nothing moves under a person's finger: what arrives is added
 * below, and what was decided keeps its place until it is cleared away.
 */
export function Inbox({ onOpen }: { onOpen: (id: string) => void }) {
  const { data, error, refetch, isRefetching } = useQuery(approvalQueries.pending());
  const [shown, setShown] = useState<readonly Approval[]>([]);
  const waiting = new Map(data?.items.map((approval) => [approval.id, approval]));

  const known = new Set(shown.map(({ id }) => id));
  const arrived = [...waiting.values()].filter(({ id }) => !known.has(id)).toSorted(soonestFirst);
  if (arrived.length > 0) setShown([...shown, ...arrived]);

  useShortcuts([
    { keys: "j", label: "Next approval", group: "Approvals", run: () => moveToCard(1) },
    { keys: "k", label: "Previous approval", group: "Approvals", run: () => moveToCard(-1) },
    { keys: "a", label: "Approve the one in focus", group: "Approvals", run: () => pressOnCard("approve") },
    { keys: "r", label: "Reject the one in focus", group: "Approvals", run: () => pressOnCard("reject") },
    { keys: "Enter", label: "Open the one in focus", group: "Approvals", run: () => pressOnCard("open") },
  ]);

  if (error && !data) return <ErrorState error={error} what="the approvals" retry={refetch} retrying={isRefetching} />;
  if (!data) return <RowSkeletons rows={2} height={12} what="the approvals" />;
  if (shown.length === 0 && arrived.length === 0) return <NothingWaits />;

  const decided = shown.filter(({ id }) => !waiting.has(id)).length;
  const hidden = (data.total ?? waiting.size) - waiting.size;
  return (
    <div className={classes.inbox}>
      {shown.map((approval) => (
        <InboxItem key={approval.id} lastKnown={approval} waiting={waiting.get(approval.id)} onOpen={onOpen} />
      ))}
      {hidden > 0 ? (
        <p className={classes.more}>
          The newest {mostPending} are shown. {hidden} older ones come when these are decided.
        </p>
      ) : null}
      {decided > 0 ? (
        <Button className={classes.clear} variant="default" onClick={() => setShown(shown.filter(({ id }) => waiting.has(id)))}>
          Clear {decided} decided
        </Button>
      ) : null}
    </div>
  );
}

function soonestFirst(a: Approval, b: Approval): number {
  return a.expiresAt.localeCompare(b.expiresAt) || a.id.localeCompare(b.id);
}

const expiryPollMs = 2_000;

/** An approval of the inbox as it stands now: waiting, or how it ended here, elsewhere or by time. */
function InboxItem({ lastKnown, waiting, onOpen }: { lastKnown: Approval; waiting?: Approval; onOpen: (id: string) => void }) {
  const { isOver } = timeLeft(lastKnown.expiresAt, useNow());
  const { data: one } = useQuery({
    ...approvalQueries.one(lastKnown.id),
    enabled: !waiting || isOver,
    refetchInterval: ({ state }) => (isOver && state.data?.status === "pending" ? expiryPollMs : false),
  });
  const isSettled = one && one.status !== "pending";
  const approval = waiting && !isSettled ? waiting : (one ?? lastKnown);
  return <ApprovalCard approval={approval} onOpen={() => onOpen(approval.id)} />;
}

function NothingWaits() {
  return (
    <EmptyState icon={IconHandStop} title="Nothing waits for a person">
      Calls that the guard wants a person to look at appear here by themselves, as soon as an agent makes them.{" "}
      <Anchor component={Link} href="/guard" size="sm" underline="always">
        See which calls ask
      </Anchor>
    </EmptyState>
  );
}
