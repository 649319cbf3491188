"use client";

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { toolQueries } from "@/components/nouns/tools/queries";
import { callCounts } from "./call-counts";

/** Number of calls of a tool by how they ended, those that wait for an approval, and the time of the last call. */
export function ToolUse({ name }: { name: string }) {
  const { data, error } = useQuery(toolQueries.usage(name));
  if (!data) return error ? toErrorSentence(error) : "Counting…";
  const { pending, lastUsedAt } = data;
  return (
    <span data-numeric>
      {callCounts(data)}
      {lastUsedAt === null ? null : (
        <>
          {" "}
          · last <RelativeTime at={lastUsedAt} />
        </>
      )}
      {pending > 0 ? (
        <>
          {" · "}
          <Anchor component={Link} href={`/approvals?tool=${encodeURIComponent(name)}`} size="sm" underline="always">
            {pending.toLocaleString("en")} pending
          </Anchor>
        </>
      ) : null}
    </span>
  );
}
