"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCircleCheck, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { type FailedWorkItem, workEndpoints } from "@/contracts/browser/operations/work";
import { workQueueWords } from "@/contracts/generated-work";
import { workQueries } from "./queries";
import classes from "./work.module.css";

/** Work items without attempts left: each can be retried or discarded. */
export function FailedItems() {
  const failed = useQuery(workQueries.failed());
  return (
    <div className={classes.failed}>
      <h3 className={shared.partTitle}>Failed items</h3>
      <Loaded query={failed} what="the failed items" rows={1} height={3.75}>
        {(data) =>
          data.items.length === 0 ? (
            <EmptyState icon={IconCircleCheck} title="No failed items">
              Every work item succeeded or has attempts left. Failed items are kept here for 30 days.
            </EmptyState>
          ) : (
            <ul className={rows.rows} aria-label="Failed items">
              {data.items.map((item) => (
                <FailedItem key={item.id} item={item} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

function FailedItem({ item }: { item: FailedWorkItem }) {
  const client = useQueryClient();
  const { title } = workQueueWords[item.queue];
  const refresh = () => client.invalidateQueries({ queryKey: workQueries.all() });
  const retry = useMutation({
    mutationFn: () => call(workEndpoints.retry, { params: { id: item.id } }),
    onSuccess: () => notifications.show({ message: "The item gets one more attempt now" }),
    onSettled: refresh,
  });
  const discard = () =>
    confirmAction({
      title: "Discard failed item",
      children: `This item of ${title} is removed and never runs. This cannot be undone.`,
      action: "Discard item",
      keep: "Keep item",
      onConfirm: async () => {
        await call(workEndpoints.discard, { params: { id: item.id } });
        notifications.show({ message: "The item is discarded" });
        await refresh();
      },
    });
  return (
    <li className={`${rows.row} ${classes.row} ${shared.spread}`}>
      <div>
        <p className={`${shared.flush} ${shared.strong}`}>
          <RevealedText text={title} /> <ShortId id={item.id} what="id of the work item" />
        </p>
        <p className={shared.subline}>
          {item.attempts} {item.attempts === 1 ? "attempt" : "attempts"}
          {item.failedAt ? (
            <>
              {", failed "}
              <RelativeTime at={item.failedAt} />
            </>
          ) : null}
        </p>
        <p className={classes.error}>
          <CodeText>{item.error}</CodeText>
        </p>
      </div>
      <div className={shared.bar}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry item
        </Button>
        <Button variant="default" size="xs" leftSection={<IconTrash size={16} aria-hidden />} onClick={discard}>
          Discard item
        </Button>
      </div>
    </li>
  );
}
