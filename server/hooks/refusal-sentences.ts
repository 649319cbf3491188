import type { HookContext } from "./hook-context";

/** The reason why a hook stops a value: `said` by the hook itself, or `could_not` because the hook failed and fails closed. */
export type Refusal = { hook: string; kind: "said" | "could_not"; reason: string };

/** Returns the sentence for the model or the runtime, with the hook, the reason and the next step. */
export function refusalSentence({ event, tool }: Pick<HookContext, "event" | "tool">, { hook, kind, reason }: Refusal): string {
  const why = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  const name = tool?.name ?? "the model";
  switch (event) {
    case "before_tool":
      return kind === "said"
        ? `Denied by the hook "${hook}": ${name} was not run. ${why} Change the call or go on without it.`
        : `Denied: ${name} was not run, because the hook "${hook}" could not look at the call: ${why} Go on without it, or try again later.`;
    case "before_llm":
      return kind === "said"
        ? `Denied by the hook "${hook}": the model was not asked. ${why}`
        : `Denied: the model was not asked, because the hook "${hook}" could not look at the request: ${why}`;
    default:
      if (kind === "could_not") {
        const answer = tool ? `the answer of ${tool.name}` : "the answer";
        return `Withheld: the hook "${hook}" could not look at ${answer}: ${why} Go on without it, or try again later.`;
      }
      return `Withheld by the hook "${hook}": ${why} Go on without ${tool ? `what ${name} answered` : "this answer"}.`;
  }
}
