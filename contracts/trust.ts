/**
 * Where a caller stands, from the least trusted to the most: an agent that another agent started, a runtime that speaks
 * for people (an API key, when nothing else is said), and an operator's own.
 */
export const trustClasses = ["child_agent", "gateway", "operator"] as const;
export type TrustClass = (typeof trustClasses)[number];
