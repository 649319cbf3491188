"use client";

import { Anchor, Button, Skeleton, Stack } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeText } from "@/components/ui/code-text";
import { DetailDrawer } from "@/components/ui/detail-drawer";
import { ErrorState } from "@/components/ui/error-state";
import { Facts } from "@/components/ui/facts";
import { RelativeTime } from "@/components/ui/relative-time";
import { RevealedText } from "@/components/ui/revealed-text";
import { ShortId } from "@/components/ui/short-id";
import type { Webhook, WebhookDeliveryStory } from "@/contracts/webhooks";
import { DeliveryOutcome } from "./delivery-outcome";
import { eventLabel } from "./event-words";
import { webhookQueries } from "./queries";
import { useRedeliver } from "./use-change-webhook";
import classes from "./webhooks.module.css";

type DeliveryDrawerProps = { id: string | null; webhooks: readonly Webhook[]; onOpenWebhook: (id: string) => void; onClose: () => void };

/** Details of a delivery: address, body and response, with a button to send it again. */
export function DeliveryDrawer({ id, webhooks, onOpenWebhook, onClose }: DeliveryDrawerProps) {
  const delivery = useQuery({ ...webhookQueries.delivery(id ?? ""), enabled: id !== null });
  const redeliver = useRedeliver();
  const { data } = delivery;
  return (
    <DetailDrawer
      opened={id !== null}
      onClose={onClose}
      title={data ? eventLabel(data.event) : "Delivery"}
      footer={
        data ? (
          <Button
            variant="default"
            leftSection={<IconSend size={16} aria-hidden />}
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate(data)}
          >
            {data.status === "pending" ? "Try now" : "Redeliver"}
          </Button>
        ) : null
      }
    >
      {data ? (
        <Story delivery={data} webhook={webhooks.find(({ id: candidate }) => candidate === data.webhookId)} onOpenWebhook={onOpenWebhook} />
      ) : delivery.error ? (
        <ErrorState error={delivery.error} what="this delivery" retry={() => void delivery.refetch()} retrying={delivery.isFetching} />
      ) : (
        <Stack aria-hidden>
          <Skeleton height={120} />
          <Skeleton height={240} />
        </Stack>
      )}
    </DetailDrawer>
  );
}

type StoryProps = { delivery: WebhookDeliveryStory; webhook: Webhook | undefined; onOpenWebhook: (id: string) => void };

function Story({ delivery, webhook, onOpenWebhook }: StoryProps) {
  return (
    <Stack gap="lg">
      <DeliveryOutcome delivery={delivery} />
      <Facts
        facts={[
          [
            "Webhook",
            webhook ? (
              <Anchor key="webhook" component="button" type="button" size="sm" onClick={() => onOpenWebhook(webhook.id)}>
                <RevealedText text={webhook.name} />
              </Anchor>
            ) : (
              "none: the callbackUrl of a turn"
            ),
          ],
          ["URL", <CodeText key="url">{delivery.url}</CodeText>],
          ["Queued", <RelativeTime key="queued" at={delivery.createdAt} />],
          ["Tries", delivery.attempts],
          ["Last try", delivery.lastAttemptAt ? <RelativeTime key="last" at={delivery.lastAttemptAt} /> : "none yet"],
          ["Next try", delivery.nextAttemptAt ? <RelativeTime key="next" at={delivery.nextAttemptAt} /> : null],
          ["Delivered", delivery.deliveredAt ? <RelativeTime key="delivered" at={delivery.deliveredAt} /> : null],
          [
            "Turn",
            delivery.turnId ? (
              <span key="turn" className={classes.goTo}>
                <ShortId id={delivery.turnId} what="turn id" />
                <Anchor component={Link} href={`/turns/${delivery.turnId}`} size="sm">
                  See the turn
                </Anchor>
              </span>
            ) : null,
          ],
          ["Id", <ShortId key="id" id={delivery.id} what="id of the delivery" />],
        ]}
      />
      <CodeBlock label="Body that is sent" text={JSON.stringify(delivery.body, null, 2)} maxLines={30} />
    </Stack>
  );
}
