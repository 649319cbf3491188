import { actionOfSubject } from "@/contracts/guard/rule-subjects";
import type { GuardedTool } from "../call/guard-request";
import { compileToolPattern, namesOneTool } from "../matching/tool-pattern";
import { globFits } from "../paths/glob";

/**
 * Returns whether one rule's subject includes every call of another rule's subject. Only what is proven counts: a kind
 * such as `effect:write` covers a tool by name only while that tool is known, and never a glob, because a tool that fits
 * the glob may come later.
 */
export function coversSubject(wide: string, narrow: string, tools: ReadonlyMap<string, GuardedTool>): boolean {
  if (wide === narrow || wide === "*") return true;
  // A rule about what a call does decides only the calls that do it.
  if (actionOfSubject(wide)) return false;
  const isKind = wide.includes(":");
  if (namesOneTool(narrow)) {
    const tool = tools.get(narrow);
    return tool ? compileToolPattern(wide)(tool) : !isKind && globFits(wide, narrow);
  }
  // The narrow glob is read as a name: `*` of the wide one takes its wildcards, a `?` could not take a `*`.
  return !isKind && !narrow.includes(":") && !wide.includes("?") && globFits(wide, narrow);
}
