"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { JsonObject } from "@/contracts/common";

const loading = () => <RowSkeletons rows={2} height={3.5} what="the form" />;
// Loaded on demand and only in the browser, because a field without handlers would lose typed text.
const TryToolPanel = dynamic(async () => (await import("./try-tool-panel")).TryToolPanel, { ssr: false, loading });

type TryToolProps = {
  toolName: string;
  initialArguments?: JsonObject;
  /** Name of the calling agent; absent: the default agent. */
  agent?: string;
};

/** Tries a tool: a form from its schema, the guard's decision, and a real turn in the person's own conversation. */
export function TryTool({ toolName, initialArguments, agent }: TryToolProps) {
  const client = useQueryClient();
  const tool = useQuery({
    ...toolQueries.one(toolName),
    initialData: () => client.getQueryData(toolQueries.list().queryKey)?.find(({ name }) => name === toolName),
  });
  if (tool.isPending) return <RowSkeletons rows={2} height={3.5} what="the tool" />;
  if (!tool.data) {
    return <ErrorState error={tool.error} what="the tool" retry={() => void tool.refetch()} retrying={tool.isFetching} />;
  }
  return <TryToolPanel key={tool.data.id} tool={tool.data} initialArguments={initialArguments} agent={agent} />;
}
