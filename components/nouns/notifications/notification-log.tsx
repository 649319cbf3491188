"use client";

import { Button, Switch } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconBell } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { Section } from "@/components/kit/settings-frame/section";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Tone } from "@/components/kit/ui/tone";
import { type Notification, type NotificationStatus, notificationEndpoints } from "@/contracts/browser/notifications/notifications";
import type { NotificationChannel } from "@/contracts/notifications/notifications";
import { notificationQueries } from "./queries";

const statusLooks: Record<NotificationStatus, { word: string; tone: Tone }> = {
  pending: { word: "Waiting", tone: "ask" },
  sending: { word: "Sending", tone: "running" },
  sent: { word: "Sent", tone: "allow" },
  failed: { word: "Failed", tone: "deny" },
  unknown: { word: "Not known", tone: "ask" },
  dropped: { word: "Dropped", tone: "unavailable" },
};
const channelWords: Record<NotificationChannel, string> = { messenger: "Messenger", email: "E-mail", push: "Push" };

const addressOf = ({ approvalId }: Notification) => (approvalId ? `/approvals?approval=${approvalId}` : "/settings/notifications");

/** Each notification of the last 30 days; admins see those of everybody. */
export function NotificationLog() {
  const [problems, setProblems] = useState(false);
  const router = useRouter();
  const isAdmin = useRefusal("admin") === null;
  const log = useInfiniteQuery(notificationQueries.log(problems));
  const columns: readonly ListColumn<Notification>[] = [
    {
      heading: "Approval",
      cell: ({ summary }) => (
        <span title={spellHidden(summary)}>
          <RevealedText text={summary} />
        </span>
      ),
    },
    ...(isAdmin
      ? [{ heading: "To", width: "9rem", wideOnly: true, cell: ({ person }: Notification) => <RevealedText text={person.name} /> }]
      : []),
    {
      heading: "By",
      width: "14rem",
      cell: ({ channel, target }) => (
        <span title={spellHidden(target)}>
          {channelWords[channel]}{" "}
          <span className={shared.dim}>
            <RevealedText text={target} />
          </span>
        </span>
      ),
    },
    {
      heading: "State",
      width: "8rem",
      cell: ({ status, error }) => (
        <span title={error ? spellHidden(error) : undefined}>
          <StatusBadge tone={statusLooks[status].tone} plain>
            {statusLooks[status].word}
          </StatusBadge>
        </span>
      ),
    },
    {
      heading: "Error",
      wideOnly: true,
      cell: ({ error }) => <span className={shared.dim}>{error ? <RevealedText text={error} /> : "–"}</span>,
    },
    { heading: "Tries", width: "4rem", wideOnly: true, cell: ({ attempts }) => <span data-numeric>{attempts}</span> },
    { heading: "When", width: "6.5rem", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { heading: "Again", width: "7.5rem", cell: (row) => <RetryButton notification={row} /> },
  ];
  return (
    <Section
      id="log"
      title="Sent notifications"
      description={isAdmin ? "Those of everybody, kept for 30 days." : "Yours, kept for 30 days."}
      action={<Switch label="Only problems" checked={problems} onChange={(event) => setProblems(event.currentTarget.checked)} />}
    >
      <PagedTable
        query={log}
        items="notifications"
        empty={
          <EmptyState icon={IconBell} title={problems ? "No problems" : "No notifications yet"}>
            {problems
              ? "Each notification was sent, waits or was dropped."
              : "The next approval that you may decide is announced in your ways."}
          </EmptyState>
        }
        label="Notifications"
        columns={columns}
        hrefOf={addressOf}
        onOpen={(row) => router.push(addressOf(row))}
      />
    </Section>
  );
}

function RetryButton({ notification: { id, status } }: { notification: Notification }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call(notificationEndpoints.retry, { params: { id } }),
    onSuccess: () => notifications.show({ message: "The notification is sent again" }),
    onSettled: () => client.invalidateQueries({ queryKey: ["notifications"] }),
  });
  if (status !== "failed" && status !== "unknown") return null;
  return (
    <Button variant="default" size="compact-xs" loading={retry.isPending} onClick={() => retry.mutate()}>
      Send again
    </Button>
  );
}
