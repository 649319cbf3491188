"use client";

import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { conversationEndpoints } from "@/contracts/browser/conversations/conversations";
import type { Chat } from "@/contracts/runs/chats";
import { chatQueries } from "./queries";

/** Returns a function that deletes a conversation after a confirmation. */
export function useRemoveChat(onRemoved: () => void) {
  const client = useQueryClient();
  return ({ id, title }: Chat) =>
    confirmAction({
      title: "Delete this conversation?",
      children: `“${title}” with its messages and turns is deleted. Running work is cancelled. The audit log keeps its records.`,
      action: "Delete conversation",
      keep: "Keep it",
      onConfirm: async () => {
        await call(conversationEndpoints.remove, { params: { id } });
        onRemoved();
        client.removeQueries({ queryKey: chatQueries.runs(id).queryKey });
        await client.invalidateQueries({ queryKey: [...chatQueries.all(), "list"] });
      },
    });
}
