"use client";

import { useQuery } from "@tanstack/react-query";
import { toErrorSentence } from "@/components/api/error-sentence";
import { toolQueries } from "@/components/tools/queries";
import { RelativeTime } from "@/components/ui/relative-time";

/** Number of calls of a tool, and the time of the last call. */
export function ToolUse({ name }: { name: string }) {
  const { data, error } = useQuery(toolQueries.usage(name));
  if (!data) return error ? toErrorSentence(error) : "Counting…";
  const { calls, failures, refusals, lastUsedAt, days } = data;
  if (lastUsedAt === null) return `No calls in ${days} days`;
  return (
    <span data-numeric>
      {calls.toLocaleString("en")} {calls === 1 ? "call" : "calls"} in {days} days
      {failures > 0 ? ` · ${failures.toLocaleString("en")} failed` : ""}
      {refusals > 0 ? ` · ${refusals.toLocaleString("en")} refused` : ""} · last used <RelativeTime at={lastUsedAt} />
    </span>
  );
}
