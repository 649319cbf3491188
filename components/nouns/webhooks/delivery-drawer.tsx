"use client";

import { Anchor, Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconSend } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { call } from "@/components/kit/api/call";
import { useResource } from "@/components/kit/resources/use-resource";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { type Webhook, type WebhookDeliveryStory, webhookEndpoints } from "@/contracts/browser/hooks/webhooks";
import { DeliveryOutcome } from "./delivery-status";
import { eventLabel } from "./event-words";
import { webhookQueries, webhookResource } from "./queries";

type DeliveryDrawerProps = { id: string | null; webhooks: readonly Webhook[]; onOpenWebhook: (id: string) => void; onClose: () => void };

/** Details of a delivery: address, body and response, with a button to send it again. */
export function DeliveryDrawer({ id, webhooks, onOpenWebhook, onClose }: DeliveryDrawerProps) {
  const delivery = useQuery({ ...webhookQueries.delivery(id ?? ""), enabled: id !== null });
  const { refresh } = useResource(webhookResource);
  const redeliver = useMutation({
    mutationFn: (delivery: WebhookDeliveryStory) => call(webhookEndpoints.redeliver, { params: { id: delivery.id } }),
    onSuccess: () => notifications.show({ message: "The delivery is sent again, under the same id" }),
    onSettled: refresh,
  });
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
      <Loaded query={delivery} what="this delivery" rows={4} height={4}>
        {(found) => (
          <Story delivery={found} webhook={webhooks.find((webhook) => webhook.id === found.webhookId)} onOpenWebhook={onOpenWebhook} />
        )}
      </Loaded>
    </DetailDrawer>
  );
}

type StoryProps = { delivery: WebhookDeliveryStory; webhook: Webhook | undefined; onOpenWebhook: (id: string) => void };

function Story({ delivery, webhook, onOpenWebhook }: StoryProps) {
  return (
    <div className={shared.story}>
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
              <span key="turn" className={shared.bar}>
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
    </div>
  );
}
