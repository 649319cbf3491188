import type { JsonObject } from "@/contracts/common";
import type { Decision, Finding } from "@/contracts/decisions/decision";
import type { Effect } from "@/contracts/decisions/effects";
import type { ToolEffect } from "@/contracts/tools/tools";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { visible } from "@/server/guard/excerpt";
import { worstSeverity } from "@/server/guard/grants/apply-grant";

const maxSummaryChars = 200;

/** Characters of a text that are read for its summary, because the rest would be cut anyway. Secrets are masked before. */
const maxReadChars = 20_000;

/** Describes a call on one line with secrets masked: the primary argument, else all arguments as JSON. */
export function summarizeCall(args: JsonObject, primaryArgument: string | null): string {
  const masked = maskedArguments(args);
  const primary = primaryArgument !== null && Object.hasOwn(masked, primaryArgument) ? masked[primaryArgument] : undefined;
  return oneLine(typeof primary === "string" ? primary : JSON.stringify(primary ?? masked));
}

/** Puts a text on one line and cuts it after 200 characters. */
export function oneLine(text: string): string {
  const line = visible(text.slice(0, maxReadChars).replace(/\s+/g, " ").trim());
  return line.length > maxSummaryChars ? `${line.slice(0, maxSummaryChars - 1).toWellFormed()}…` : line;
}

const riskOfTool = { read: "info", write: "low", destroy: "medium" } as const satisfies Record<ToolEffect, Finding["severity"]>;

/** Returns the worst severity of the findings; without findings, a severity that follows from the call's effects. */
export function assessRisk(
  { findings, effects = [] }: Pick<Decision, "findings" | "effects">,
  toolEffect: ToolEffect,
): Finding["severity"] {
  const worst = worstSeverity(findings);
  if (worst !== null) return worst;
  if (effects.length === 0) return riskOfTool[toolEffect];
  if (effects.some(isHardToUndo)) return "medium";
  return effects.every(({ kind }) => kind === "read") ? "info" : "low";
}

const isHardToUndo = ({ kind, irreversible }: Effect) =>
  irreversible === true || kind === "delete" || kind === "elevate" || kind === "schedule";
