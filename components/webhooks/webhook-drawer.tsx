"use client";

import { IconWebhookOff } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { DetailDrawer } from "@/components/ui/detail-drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { useIdlePreload } from "@/components/ui/use-idle-preload";
import type { Webhook, WebhookWithSecret } from "@/contracts/webhooks";
import { WebhookDetails } from "./webhook-details";

const loadForm = () => import("./webhook-form");
const WebhookForm = dynamic(() => loadForm().then((file) => file.WebhookForm), {
  ssr: false,
  loading: () => <RowSkeletons rows={5} height={3.5} what="the form" />,
});

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

/** Details of a webhook, its settings, or the form for a new one. */
export function WebhookDrawer({ id, isEditing, webhooks, onEdit, onSecret, onShowDeliveries, onClose }: WebhookDrawerProps) {
  useIdlePreload(loadForm);
  const webhook = webhooks.find((candidate) => candidate.id === id);
  const title = id === "new" ? "Add a webhook" : webhook ? (isEditing ? `Edit ${webhook.name}` : webhook.name) : "Webhook";
  return (
    <DetailDrawer opened={id !== null} onClose={onClose} title={title} holds={id === "new" || (webhook && isEditing) ? "form" : "story"}>
      {id === "new" ? (
        <WebhookForm webhook={null} onCreated={onSecret} onSaved={onClose} onCancel={onClose} />
      ) : !webhook ? (
        <EmptyState icon={IconWebhookOff} title="Webhook not found">
          The webhook was removed, or the address is wrong.
        </EmptyState>
      ) : isEditing ? (
        <WebhookForm key={webhook.id} webhook={webhook} onCreated={onSecret} onSaved={() => onEdit(false)} onCancel={() => onEdit(false)} />
      ) : (
        <WebhookDetails
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
