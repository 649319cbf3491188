import { type TrustClass, trustClasses } from "@/contracts/trust";

/** What the trust classes are called. */
export const trustNames: Record<TrustClass, string> = { child_agent: "child agent", gateway: "gateway", operator: "operator" };

const trustWords: Record<TrustClass, string> = {
  child_agent: "Child agent (of another agent)",
  gateway: "Gateway (speaks for people)",
  operator: "Operator (your own programs)",
};

/** From the least trusted to the most. */
export const trustChoices = trustClasses.map((value) => ({ value, label: trustWords[value] }));

/** The trust class of what was chosen; null for what is none. */
export const trustClassOf = (value: string | null): TrustClass | null => trustClasses.find((known) => known === value) ?? null;
