"use client";

import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { runQueries } from "@/components/nouns/runs/queries";
import { runEndpoints } from "@/contracts/browser/runs/runs";

/** Cancels an unfinished run after a confirmation. */
export function CancelRun({ runId }: { runId: string }) {
  const refusal = useRefusal("turns:write");
  const client = useQueryClient();
  const cancel = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(runEndpoints.cancel, { params: { id: runId } }),
    onSuccess: (cancelled) => client.setQueryData(runQueries.one(runId).queryKey, cancelled),
    onSettled: () => client.invalidateQueries({ queryKey: runQueries.all() }),
  });
  const askFirst = () =>
    confirmAction({
      title: "Cancel this run?",
      children:
        "The model's reply is cut off, its calls are cancelled, and so are the tasks that it handed to other agents. Completed calls are not undone.",
      action: "Cancel run",
      keep: "Keep running",
      onConfirm: () => cancel.mutateAsync(),
    });
  return (
    <RefusableButton refusal={refusal} variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={askFirst}>
      Cancel run
    </RefusableButton>
  );
}
