import type { Hook } from "@/contracts/hooks/hooks";

/** Describes the match of a hook: "calls of read_* where /path matches \.env". */
export function hookSentence({ event, match }: Pick<Hook, "event" | "match">, agentName: string | null): string {
  const what = event.endsWith("_llm")
    ? "every call of a model"
    : match.tool === "*"
      ? event === "on_error"
        ? "every error"
        : "every call"
      : `calls of ${match.tool}`;
  const whose = match.agentId === null ? "" : ` by ${agentName ?? "one agent"}`;
  const where = match.argument ? ` where ${match.argument.pointer || "anything in it"} matches ${match.argument.pattern}` : "";
  return `${what}${whose}${where}`;
}
