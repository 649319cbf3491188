"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { GuardRuleDraft, RulePreview } from "@/contracts/guard/guard";
import type { PlannedChange } from "@/contracts/guard/policy";
import type { RuleWarning } from "@/contracts/guard/rule-subjects";
import type { SimulationSum } from "../policy/simulation-sum";
import { guardQueries } from "../queries";
import { otherwiseDraft, previewable, type RuleForm } from "./rule-draft";

const typingPauseMs = 250;

export type Previewing = {
  /** The newest answer; during a request, the answer before. */
  preview: RulePreview | undefined;
  /** The answer belongs to the current form. */
  isCurrent: boolean;
  /** Warnings of the newest answer. They stay while other fields change, so that the form does not move under the pointer. */
  warnings: readonly RuleWarning[];
  /** No preview yet, because no tool is chosen. */
  isIdle: boolean;
  error: Error | null;
};

/** Returns the effect of an unsaved rule on the last calls, requested whenever the person stops typing. */
export function useRulePreview(values: RuleForm, ruleId: string | null): Previewing {
  const draft = previewable(values);
  const written = draft && JSON.stringify(draft);
  const [asked] = useDebouncedValue(written, typingPauseMs);
  const askedDraft = useMemo(() => (asked ? (JSON.parse(asked) as GuardRuleDraft) : null), [asked]);
  const { data, error, isPlaceholderData } = useQuery({
    ...guardQueries.preview(askedDraft ?? nothing, ruleId),
    enabled: askedDraft !== null,
  });
  const isAnswered = data !== undefined && !isPlaceholderData;
  const [answered, setAnswered] = useState<GuardRuleDraft | null>(null);
  if (isAnswered && answered !== askedDraft) setAnswered(askedDraft);
  return {
    preview: written === null ? undefined : data,
    isCurrent: written !== null && asked === written && isAnswered,
    warnings: data && isWarnedAlike(draft, answered) ? data.warnings : [],
    isIdle: written === null,
    error,
  };
}

const warnedFields = ["tool", "parameter", "pattern", "verdict"] as const;

const isWarnedAlike = (draft: GuardRuleDraft | null, answered: GuardRuleDraft | null): boolean =>
  draft !== null && answered !== null && warnedFields.every((field) => draft[field] === answered[field]);

/** Returns whether the rule can be saved, according to the newest answer. */
export function isUsable({ preview, isCurrent }: Previewing): boolean {
  return isCurrent && preview !== undefined && preview.patternError === null && preview.excludeError === null;
}

/**
 * Returns the effect of saving the rule on every recorded call of the last days; undefined until known.
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

/** Placeholder for a disabled query. */
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
  approvers: null,
};
