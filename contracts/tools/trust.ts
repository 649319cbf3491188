/**
 * Trust classes of callers, from the least trusted to the most: an agent that another agent started, a runtime that
 * speaks for people (the default of an API key), and an operator's own program.
 */
export const trustClasses = ["child_agent", "gateway", "operator"] as const;
export type TrustClass = (typeof trustClasses)[number];
