"use client";

import { notifications } from "@mantine/notifications";
import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { confirmAction } from "@/components/ui/confirm-action";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { type Webhook, type WebhookWithSecret, webhookEndpoints } from "@/contracts/browser/webhooks";
import { webhookQueries } from "./queries";

/** Asks for confirmation, then removes a webhook with its deliveries. */
export function confirmRemoval(webhook: Webhook, client: QueryClient, onRemoved: () => void) {
  confirmAction({
    title: `Remove ${webhook.name}`,
    children: "Nothing more is sent to this address, including queued retries. The webhook's deliveries are deleted from the log.",
    action: "Remove webhook",
    onConfirm: async () => {
      await call(webhookEndpoints.remove, { params: { id: webhook.id } });
      onRemoved();
      notifications.show({ message: spellHidden(`${webhook.name} is removed`) });
      await client.invalidateQueries({ queryKey: webhookQueries.all() });
    },
  });
}

/** Asks for confirmation, then replaces the secret of a webhook. */
export function confirmRotation(webhook: Webhook, client: QueryClient, onRotated: (webhook: WebhookWithSecret) => void) {
  confirmAction({
    title: `Rotate the secret of ${webhook.name}`,
    children:
      "The new secret signs every further try. The receiver refuses deliveries until it has the new secret; refused deliveries are retried for a day.",
    action: "Rotate secret",
    onConfirm: async () => {
      onRotated(await call(webhookEndpoints.rotateSecret, { params: { id: webhook.id } }));
      await client.invalidateQueries({ queryKey: webhookQueries.all() });
    },
  });
}
