import type { RE2JS } from "re2js";
import type { JsonObject } from "@/contracts/common";
import type { HookAction, HookEvent } from "@/contracts/hooks/hook-actions";
import { defaultHookRate, type Hook } from "@/contracts/hooks/hooks";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { compilePattern, type PatternError } from "@/server/guard/matching/argument-pattern";
import { compileToolPattern } from "@/server/guard/matching/tool-pattern";
import { toErrorMessage } from "@/server/platform/errors";
import { compileAction } from "./compile-action";
import type { CompiledAction, HookContext } from "./hook-context";
import { findMatches } from "./json-pointer-wildcards";
import { isFound, makeValueBudget, maxTextChars, textPattern } from "./text-patterns";

/** The stored members of a hook that decide when it runs and what it does. */
export type HookContent = Pick<Hook, "id" | "name" | "event" | "match" | "action" | "order" | "timeoutMs" | "ratePerMinute" | "version">;

export type CompiledHook = Omit<HookContent, "match" | "order" | "ratePerMinute"> & {
  /** The only agent for which the hook runs; null for every agent. */
  agentId: string | null;
  /** Most runs a minute; counted only for hooks that call another program. */
  ratePerMinute: number;
  /** Tells whether the hook applies to a call, with the reason. An unusable pattern counts as a match, so that the run fails visibly. */
  matches: (hookContext: HookContext) => { isMatch: boolean; why: string };
  act: CompiledAction;
};

/** The enabled hooks of a workspace by event, in the order in which they run. */
export type HooksByEvent = Readonly<Record<HookEvent, readonly CompiledHook[]>>;

export const noHooks: HooksByEvent = { before_tool: [], after_tool: [], before_llm: [], after_llm: [], on_error: [] };

export function compileHooks(contents: readonly HookContent[]): HooksByEvent {
  const byEvent: Record<HookEvent, CompiledHook[]> = { before_tool: [], after_tool: [], before_llm: [], after_llm: [], on_error: [] };
  for (const content of contents.toSorted(inOrder)) byEvent[content.event].push(compileHook(content));
  return byEvent;
}

/** Compares hooks by `order`, then by age. */
function inOrder(a: HookContent, b: HookContent): number {
  return a.order - b.order || (a.id < b.id ? -1 : 1);
}

export function compileHook({ match, order: _, ...content }: HookContent): CompiledHook {
  const covers = compileToolPattern(match.tool);
  const argument = match.argument && { ...match.argument, compiled: usablePattern(match.argument.pattern) };
  return {
    ...content,
    agentId: match.agentId,
    ratePerMinute: content.ratePerMinute ?? defaultHookRate,
    act: compileActionLazily(content.action, argument?.compiled.ok === false ? argument.compiled.error.message : null),
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

/** Tries the pattern on every place that the pointer names; one match is enough. */
function matchesArgument(pattern: RE2JS, source: string, pointer: string, args: JsonObject): { isMatch: boolean; why: string } {
  const nameOf = (place: string) => (place === "" ? "the whole" : place);
  const budget = makeValueBudget();
  let room = maxTextChars;
  let isThere = false;
  for (const { place, value } of findMatches(args, pointer)) {
    if (value === undefined) continue;
    isThere = true;
    const text = typeof value === "string" ? value : canonicalJson(value);
    room -= text.length;
    // A text too long to search counts as a match, so that a long argument cannot evade the hook.
    const isMatch = room < 0 ? null : isFound(pattern, text, budget);
    if (isMatch === null) return { isMatch: true, why: `${nameOf(place)} is too long to be compared` };
    if (isMatch) return { isMatch: true, why: `${nameOf(place)} matches ${source}` };
  }
  return { isMatch: false, why: isThere ? `${nameOf(pointer)} does not match ${source}` : `there is no ${nameOf(pointer)}` };
}

/** Compiles an action. One that cannot be compiled fails when it runs, so that `failsClosed` decides as for any failed hook. */
function compileActionLazily(action: HookAction, matchFault: string | null): CompiledAction {
  const failing =
    (fault: string): CompiledAction =>
    () => {
      throw new Error(fault);
    };
  if (matchFault !== null) return failing(`its pattern cannot be used: ${matchFault}`);
  try {
    return compileAction(action);
  } catch (error) {
    return failing(toErrorMessage(error));
  }
}
