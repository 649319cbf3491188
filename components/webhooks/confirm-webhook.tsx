"use client";

import { notifications } from "@mantine/notifications";
import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { confirmAction } from "@/components/ui/confirm-action";
import { type Webhook, type WebhookWithSecret, webhookEndpoints } from "@/contracts/webhooks";
import { webhookQueries } from "./queries";

/** Asks, then removes a webhook with its part of the log. */
export function confirmRemoval(webhook: Webhook, client: QueryClient, onRemoved: () => void) {
  confirmAction({
    title: `Remove ${webhook.name}`,
    children: "Nothing more is sent there, also not what still waits for another try. Its deliveries leave the log.",
    action: "Remove webhook",
    onConfirm: async () => {
      await call(webhookEndpoints.remove, { params: { id: webhook.id } });
      onRemoved();
      notifications.show({ message: `${webhook.name} is removed` });
      await client.invalidateQueries({ queryKey: webhookQueries.all() });
    },
  });
}

/** Asks, then gives a webhook another secret. */
export function confirmRotation(webhook: Webhook, client: QueryClient, onRotated: (webhook: WebhookWithSecret) => void) {
  confirmAction({
    title: `Rotate the secret of ${webhook.name}`,
    children:
      "The new secret signs from the next try on. The receiver refuses deliveries until it knows it; they are tried again for a day.",
    action: "Rotate secret",
    onConfirm: async () => {
      onRotated(await call(webhookEndpoints.rotateSecret, { params: { id: webhook.id } }));
      await client.invalidateQueries({ queryKey: webhookQueries.all() });
    },
  });
}
