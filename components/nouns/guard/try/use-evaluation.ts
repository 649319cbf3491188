"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { guardEndpoints } from "@/contracts/browser/guard/guard";
import type { JsonObject } from "@/contracts/common";
import type { EvaluatedContext } from "@/contracts/guard/rule-conditions";
import { guardQueries } from "../queries";

const typingPauseMs = 300;

/**
 * Returns the guard's decision on a call while the person types. Nothing runs and nothing is recorded. Null arguments
 * send no request.
 * @param progress progress of the conversation's last call: a new state may change the decision, because a rejection is
 * remembered
 */
export function useEvaluation(tool: string, args: JsonObject | null, context: EvaluatedContext | undefined, progress = "") {
  const asking = JSON.stringify({ tool, args, context, progress });
  const [asked] = useDebouncedValue(asking, typingPauseMs);
  return useQuery({
    queryKey: [...guardQueries.all(), "evaluate", asking],
    queryFn: ({ signal }) =>
      call(guardEndpoints.evaluate, { body: { tool, arguments: args ?? {}, ...(context ? { context } : {}) } }, { signal }),
    enabled: tool !== "" && args !== null && asked === asking,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  });
}
