import { type TrustClass, trustClasses } from "@/contracts/tools/trust";

/** Names of the trust classes. */
export const trustNames: Record<TrustClass, string> = { child_agent: "child agent", gateway: "gateway", operator: "operator" };

const trustWords: Record<TrustClass, string> = {
  child_agent: "Child agent (of another agent)",
  gateway: "Gateway (speaks for people)",
  operator: "Operator (your own programs)",
};

/** Selectable trust classes, from the least trusted to the most. */
export const trustChoices = trustClasses.map((value) => ({ value, label: trustWords[value] }));

/** Parses a selected trust class; null for any other text. */
export const parseTrustClass = (value: string | null): TrustClass | null => trustClasses.find((known) => known === value) ?? null;
