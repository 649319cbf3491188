import type { RE2JS } from "re2js";
import type { JsonObject } from "@/contracts/common";
import type { HookAction, HookEvent } from "@/contracts/hook-actions";
import type { Hook } from "@/contracts/hooks";
import { compilePattern, type PatternError } from "@/server/guard/matching/argument-pattern";
import { compileToolPattern } from "@/server/guard/matching/tool-pattern";
import { canonicalJson } from "@/server/platform/canonical-json";
import { messageOf } from "@/server/platform/errors";
import { actOf } from "./act-of";
import { foundAt } from "./every-member";
import type { HookAct, HookScene } from "./scene";
import { budgetOfValue, isFound, longestText, textPattern } from "./text-patterns";

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
  const argument = match.argument && { ...match.argument, compiled: usablePattern(match.argument.pattern) };
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
      return matchesArgument(compiled.pattern, argument.pattern, pointer, args);
    },
  };
}

function usablePattern(source: string): { ok: true; pattern: RE2JS } | { ok: false; error: PatternError } {
  const compiled = compilePattern(source);
  return compiled.ok ? { ok: true, pattern: textPattern(source) } : compiled;
}

/** One of the places that a pointer names is enough. */
function matchesArgument(pattern: RE2JS, source: string, pointer: string, args: JsonObject): { isMatch: boolean; why: string } {
  const nameOf = (place: string) => (place === "" ? "the whole" : place);
  const budget = budgetOfValue();
  let room = longestText;
  let isThere = false;
  for (const { place, value } of foundAt(args, pointer)) {
    if (value === undefined) continue;
    isThere = true;
    const text = typeof value === "string" ? value : canonicalJson(value);
    room -= text.length;
    // Too long to be looked through: the hook runs, so that nothing slips past it by its length.
    const isMatch = room < 0 ? null : isFound(pattern, text, budget);
    if (isMatch === null) return { isMatch: true, why: `${nameOf(place)} is too long to be compared` };
    if (isMatch) return { isMatch: true, why: `${nameOf(place)} matches ${source}` };
  }
  return { isMatch: false, why: isThere ? `${nameOf(pointer)} does not match ${source}` : `there is no ${nameOf(pointer)}` };
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
