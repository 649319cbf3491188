"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { GuardRuleDraft, type RulePreview } from "@/contracts/guard";
import type { PlannedChange } from "@/contracts/policy";
import { guardQueries } from "./queries";
import { otherwiseDraft, previewable, type RuleForm } from "./rule-draft";
import type { SimulationSum } from "./simulation-sum";

const typingPauseMs = 250;

export type Previewing = {
  /** The newest answer; while the next one is on its way, the one before. */
  preview: RulePreview | undefined;
  /** The answer is about the form as it stands now. */
  isCurrent: boolean;
  /** There is nothing to try yet: no tool is chosen. */
  isIdle: boolean;
  error: Error | null;
};

/** What the rule being written would have done to the last calls, asked for whenever the typing pauses. */
export function useRulePreview(values: RuleForm, ruleId: string | null): Previewing {
  const draft = previewable(values);
  const written = draft && JSON.stringify(draft);
  const [asked] = useDebouncedValue(written, typingPauseMs);
  const askedDraft = useMemo(() => (asked ? GuardRuleDraft.parse(JSON.parse(asked)) : null), [asked]);
  const { data, error, isPlaceholderData } = useQuery({
    ...guardQueries.preview(askedDraft ?? nothing, ruleId),
    enabled: askedDraft !== null,
  });
  return {
    preview: written === null ? undefined : data,
    isCurrent: written !== null && asked === written && data !== undefined && !isPlaceholderData,
    isIdle: written === null,
    error,
  };
}

/** Whether the rule can be saved as it stands, as far as the newest answer says. */
export function isUsable({ preview, isCurrent }: Previewing): boolean {
  return isCurrent && preview !== undefined && preview.patternError === null && preview.excludeError === null;
}

/**
 * What saving the rule would have done to every recorded call of the last days; undefined while nothing is known.
 * @param id the saved rule that it replaces
 */
export function useRuleSimulation(
  values: RuleForm,
  { id, isUsable: isTried }: { id: string | null; isUsable: boolean },
): SimulationSum | undefined {
  const draft = previewable(values);
  const change: PlannedChange | null =
    draft && isTried ? { kind: "save", rule: draft, id, otherwise: id === null ? otherwiseDraft(values, draft) : null } : null;
  const { data } = useQuery(guardQueries.simulation(change));
  return change ? data : undefined;
}

/** Stands in a query that is not asked. */
const nothing: GuardRuleDraft = {
  name: "",
  tool: "*",
  parameter: null,
  pattern: null,
  excludePattern: null,
  comparisons: [],
  context: null,
  verdict: "allow",
  priority: 0,
  enabled: true,
  reason: "",
  expiresAt: null,
  relaxes: [],
};
