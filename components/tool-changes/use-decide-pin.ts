"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { toErrorSentence } from "@/components/api/error-sentence";
import { serverQueries } from "@/components/mcp-servers/queries";
import { toolQueries } from "@/components/tools/queries";
import { toolChangeEndpoints } from "@/contracts/browser/tool-changes";
import type { PinDecision, ToolChange } from "@/contracts/tool-changes";
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
    onSuccess: ({ tool, status }) =>
      notifications.show({ message: status === "approved" ? `${tool} can be called again` : `${tool} stays off` }),
    onError: (error) => notifications.show({ title: "Not decided", message: toErrorSentence(error), color: "red" }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: toolChangeQueries.all() }),
        client.invalidateQueries({ queryKey: serverQueries.all() }),
        client.invalidateQueries({ queryKey: toolQueries.all() }),
      ]),
  });
}
