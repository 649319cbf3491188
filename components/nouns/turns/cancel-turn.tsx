"use client";

import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { turnEndpoints } from "@/contracts/browser/turns/turns";
import { turnQueries } from "./queries";

/** Cancels an unfinished turn after a confirmation. */
export function CancelTurn({ turnId }: { turnId: string }) {
  const refusal = useRefusal("turns:write");
  const client = useQueryClient();
  const cancel = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(turnEndpoints.cancel, { params: { id: turnId } }),
    onSuccess: (cancelled) => client.setQueryData(turnQueries.one(turnId).queryKey, cancelled),
    onSettled: () => client.invalidateQueries({ queryKey: turnQueries.all() }),
  });
  const askFirst = () =>
    confirmAction({
      title: "Cancel this turn?",
      children:
        "Running calls are told to stop, waiting calls do not run, and open approvals are withdrawn. Completed calls are not undone.",
      action: "Cancel turn",
      keep: "Keep running",
      onConfirm: () => cancel.mutateAsync(),
    });
  return (
    <RefusableButton refusal={refusal} variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={askFirst}>
      Cancel turn
    </RefusableButton>
  );
}
