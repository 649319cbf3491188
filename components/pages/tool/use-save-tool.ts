"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { replaceRow } from "@/components/kit/resources/replace-row";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type Tool, type ToolPatch, toolEndpoints } from "@/contracts/browser/tools/tools";

/** Saves a person's edit of a tool without overwriting a newer change by somebody else. */
export function useSaveTool(tool: Tool, said: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: (patch: ToolPatch) => call(toolEndpoints.update, { params: { id: tool.id }, body: patch }, { version: tool.version }),
    onSuccess: (saved) => {
      client.setQueryData(toolQueries.list().queryKey, (tools) => tools && replaceRow(tools, saved));
      notifications.show({ message: said });
      return client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
}
