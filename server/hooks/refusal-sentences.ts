import type { HookScene } from "./scene";

/** Why a hook stops something: because it says so, or because it could not do its work before something happens. */
export type Refusal = { hook: string; kind: "said" | "could_not"; reason: string };

/** The sentence for the model (or the runtime that would call one): what was refused, by which hook, why, and what to do next. */
export function refusalSentence({ event, tool }: Pick<HookScene, "event" | "tool">, { hook, kind, reason }: Refusal): string {
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
      return `Withheld by the hook "${hook}": ${why} Go on without ${tool ? `what ${name} answered` : "this answer"}.`;
  }
}
