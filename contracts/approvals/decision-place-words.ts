import type { DecisionPlace } from "./approvals";

/** Says a place of a decision in words. */
export function decisionPlaceWords({ kind, name }: DecisionPlace): string {
  if (kind === "messenger") return name ?? "messenger";
  return { console: "console", api: "API", mcp: "MCP client" }[kind];
}
