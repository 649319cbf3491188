"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import { toolQueries } from "@/components/nouns/tools/queries";
import { toolChangeEndpoints } from "@/contracts/browser/tools/tool-changes";
import type { PinDecision, ToolChange } from "@/contracts/tools/tool-changes";
import { changedName, isOfInstructions } from "./changed-name";
import { toolChangeQueries } from "./queries";

/** Decides a change of a tool: the definition that was shown, and no later one. */
export function useDecidePin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ change, decision }: { change: ToolChange; decision: PinDecision["decision"] }) =>
      call(toolChangeEndpoints.decide, {
        params: { id: change.server.id, name: change.tool },
        body: { decision, hash: change.after.hash },
      }),
    onSuccess: (change) => notifications.show({ message: outcomeOf(change) }),
    onError: (error) => notifications.show({ title: "Not decided", message: toErrorSentence(error), color: "red" }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: toolChangeQueries.all() }),
        client.invalidateQueries({ queryKey: serverQueries.all() }),
        client.invalidateQueries({ queryKey: toolQueries.all() }),
      ]),
  });
}

function outcomeOf(change: ToolChange): string {
  const name = changedName(change);
  if (isOfInstructions(change)) return change.status === "approved" ? `${name}: models read the new text` : `${name} stay as they were`;
  return change.status === "approved" ? `${name} can be called again` : `${name} stays off`;
}
