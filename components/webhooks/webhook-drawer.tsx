"use client";

import { IconWebhookOff } from "@tabler/icons-react";
import { DetailDrawer } from "@/components/ui/detail-drawer";
import { EmptyState } from "@/components/ui/empty-state";
import type { Webhook, WebhookWithSecret } from "@/contracts/webhooks";
import { WebhookForm } from "./webhook-form";
import { WebhookStory } from "./webhook-story";

type WebhookDrawerProps = {
  /** Id of a webhook, or `new`. */
  id: string | null;
  isEditing: boolean;
  webhooks: readonly Webhook[];
  onEdit: (isEditing: boolean) => void;
  onSecret: (webhook: WebhookWithSecret) => void;
  onShowDeliveries: (id: string) => void;
  onClose: () => void;
};

/** A webhook's story, its settings, or the settings of a new one. */
export function WebhookDrawer({ id, isEditing, webhooks, onEdit, onSecret, onShowDeliveries, onClose }: WebhookDrawerProps) {
  const webhook = webhooks.find((candidate) => candidate.id === id);
  const title = id === "new" ? "Add a webhook" : webhook ? (isEditing ? `Edit ${webhook.name}` : webhook.name) : "Webhook";
  return (
    <DetailDrawer opened={id !== null} onClose={onClose} title={title} holds={id === "new" || (webhook && isEditing) ? "form" : "story"}>
      {id === "new" ? (
        <WebhookForm webhook={null} onCreated={onSecret} onSaved={onClose} onCancel={onClose} />
      ) : !webhook ? (
        <EmptyState icon={IconWebhookOff} title="There is no such webhook">
          It may have been removed, or the link is not complete.
        </EmptyState>
      ) : isEditing ? (
        <WebhookForm key={webhook.id} webhook={webhook} onCreated={onSecret} onSaved={() => onEdit(false)} onCancel={() => onEdit(false)} />
      ) : (
        <WebhookStory
          key={webhook.id}
          webhook={webhook}
          onEdit={() => onEdit(true)}
          onRotated={onSecret}
          onRemoved={onClose}
          onShowDeliveries={() => onShowDeliveries(webhook.id)}
        />
      )}
    </DetailDrawer>
  );
}
