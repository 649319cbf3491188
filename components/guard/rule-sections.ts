import type { RuleForm } from "./rule-draft";

export const ruleSections = ["arguments", "context", "relaxes", "order"] as const;
export type RuleSection = (typeof ruleSections)[number];

const fieldsOf: Record<RuleSection, readonly string[]> = {
  arguments: ["parameter", "excludePattern", "comparisons"],
  context: ["context", "expiresAt"],
  relaxes: ["relaxes"],
  order: ["reason", "priority"],
};

/** Sections of the form in which something stands: they are unfolded from the start. */
export function filledSections({ parameter, excludePattern, comparisons, context, expiresAt, relaxes, reason }: RuleForm): RuleSection[] {
  const { agents, channels, actors, origins, interactive, time } = context;
  const asks = [agents, channels, actors, origins].some((list) => list.length > 0) || interactive !== "any" || time !== null;
  return [
    ...(parameter || excludePattern || comparisons.length > 0 ? (["arguments"] as const) : []),
    ...(asks || expiresAt ? (["context"] as const) : []),
    ...(relaxes.length > 0 ? (["relaxes"] as const) : []),
    ...(reason ? (["order"] as const) : []),
  ];
}

/** Sections in which something is wrong: nobody looks for a mistake in what is folded. */
export function wrongSections(errors: Record<string, unknown>): RuleSection[] {
  const wrong = Object.entries(errors).flatMap(([path, error]) => (error ? [path.split(".")[0] ?? ""] : []));
  return ruleSections.filter((section) => fieldsOf[section].some((field) => wrong.includes(field)));
}
