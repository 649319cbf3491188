import { isEmpty } from "./approvers-form";
import type { RuleForm } from "./rule-draft";

export const ruleSections = ["arguments", "context", "relaxes", "approvers", "order"] as const;
export type RuleSection = (typeof ruleSections)[number];

const fieldsOf: Record<RuleSection, readonly string[]> = {
  arguments: ["parameter", "excludePattern", "comparisons"],
  context: ["context", "expiresAt"],
  relaxes: ["relaxes"],
  approvers: ["approvers"],
  order: ["reason", "priority"],
};

/** Returns the sections that contain values: they start unfolded. */
export function filledSections({
  parameter,
  excludePattern,
  comparisons,
  context,
  expiresAt,
  relaxes,
  approvers,
  reason,
}: RuleForm): RuleSection[] {
  const { interactive, time, ...lists } = context;
  const asks = Object.values(lists).some((list) => list.length > 0) || interactive !== "any" || time !== null;
  return [
    ...(parameter || excludePattern || comparisons.length > 0 ? (["arguments"] as const) : []),
    ...(asks || expiresAt ? (["context"] as const) : []),
    ...(relaxes.length > 0 ? (["relaxes"] as const) : []),
    ...(isEmpty(approvers) ? [] : (["approvers"] as const)),
    ...(reason ? (["order"] as const) : []),
  ];
}

/** Returns the sections with errors, so that the form unfolds them. */
export function wrongSections(errors: Record<string, unknown>): RuleSection[] {
  const wrong = Object.entries(errors).flatMap(([path, error]) => (error ? [path.split(".")[0] ?? ""] : []));
  return ruleSections.filter((section) => fieldsOf[section].some((field) => wrong.includes(field)));
}
