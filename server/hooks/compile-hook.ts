import type { Json } from "@/contracts/common";
import type { HookAction, HookEvent } from "@/contracts/hook-actions";
import type { Hook } from "@/contracts/hooks";
import { type ArgumentPattern, compilePattern } from "@/server/guard/matching/argument-pattern";
import { compileToolPattern } from "@/server/guard/matching/tool-pattern";
import { canonicalJson } from "@/server/platform/canonical-json";
import { messageOf } from "@/server/platform/errors";
import { actOf } from "./act-of";
import { valueAt } from "./json-pointer";
import type { HookAct, HookScene } from "./scene";
import { longestText } from "./text-patterns";

/** What a hook does and when. */
export type HookContent = Pick<Hook, "id" | "name" | "event" | "match" | "action" | "order" | "timeoutMs" | "ratePerMinute" | "version">;

export type CompiledHook = Omit<HookContent, "match" | "order"> & {
  /** Whether the hook is for a call, and why, in words. What cannot be evaluated counts as a match: the run then says so. */
  matches: (scene: HookScene) => { isMatch: boolean; why: string };
  act: HookAct;
};

/** The hooks of a workspace that are switched on, in the order in which they run. */
export type HooksByEvent = Readonly<Record<HookEvent, readonly CompiledHook[]>>;

export const noHooks: HooksByEvent = { before_tool: [], after_tool: [], before_llm: [], after_llm: [], on_error: [] };

export function compileHooks(contents: readonly HookContent[]): HooksByEvent {
  const byEvent: Record<HookEvent, CompiledHook[]> = { before_tool: [], after_tool: [], before_llm: [], after_llm: [], on_error: [] };
  for (const content of contents.toSorted(inOrder)) byEvent[content.event].push(compileHook(content));
  return byEvent;
}

/** Lower order first; between equals the older one. */
function inOrder(a: HookContent, b: HookContent): number {
  return a.order - b.order || (a.id < b.id ? -1 : 1);
}

export function compileHook({ match, order: _, ...content }: HookContent): CompiledHook {
  const covers = compileToolPattern(match.tool);
  const argument = match.argument && { ...match.argument, compiled: compilePattern(match.argument.pattern) };
  return {
    ...content,
    act: lateAct(content.action, argument?.compiled.ok === false ? argument.compiled.error.message : null),
    matches: ({ tool, agent, arguments: args }) => {
      if (tool === null && match.tool !== "*") return { isMatch: false, why: "it is for calls of tools" };
      if (tool && match.tool !== "*" && !covers(tool)) return { isMatch: false, why: `it is not for ${tool.name}` };
      if (match.agentId !== null && match.agentId !== agent.id) return { isMatch: false, why: `it is not for the agent ${agent.name}` };
      if (!argument) return { isMatch: true, why: "it is for every such call" };
      const { pointer, compiled } = argument;
      if (!compiled.ok) return { isMatch: true, why: `its pattern cannot be used: ${compiled.error.message}` };
      return matchesArgument(compiled.pattern, pointer, valueAt(args, pointer));
    },
  };
}

function matchesArgument(pattern: ArgumentPattern, pointer: string, value: Json | undefined): { isMatch: boolean; why: string } {
  const place = pointer === "" ? "the whole" : pointer;
  if (value === undefined) return { isMatch: false, why: `there is no ${place}` };
  const text = typeof value === "string" ? value : canonicalJson(value);
  // Too long to be looked through: the hook runs, so that nothing slips past it by its length.
  if (text.length > longestText) return { isMatch: true, why: `${place} is too long to be compared` };
  try {
    return pattern.isFoundIn(text)
      ? { isMatch: true, why: `${place} matches ${pattern.source}` }
      : { isMatch: false, why: `${place} does not match ${pattern.source}` };
  } catch (error) {
    return { isMatch: true, why: `${place} cannot be compared: ${messageOf(error)}` };
  }
}

/** An action that cannot be made fails when it runs, as a hook that throws: what that means depends on the event. */
function lateAct(action: HookAction, matchFault: string | null): HookAct {
  const failing =
    (fault: string): HookAct =>
    () => {
      throw new Error(fault);
    };
  if (matchFault !== null) return failing(`its pattern cannot be used: ${matchFault}`);
  try {
    return actOf(action);
  } catch (error) {
    return failing(messageOf(error));
  }
}
