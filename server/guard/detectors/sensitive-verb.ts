import type { DeclaredEffect } from "../effects/declare-effects";
import { type Detector, noDetectorMatches } from "./detector";

/**
 * Asks about a tool whose name says that it moves or commits something, when no pipeline stands between the tool and
 * the model.
 */
export const sensitiveVerb: Detector = {
  id: "mcp.sensitive_verb",
  title: "A tool whose name says that it moves or commits something",
  severity: "medium",
  verdict: "require_approval",
  explanation:
    "The tool's name has an escalate word such as send, transfer or deploy. What such a tool does cannot be taken back in most cases.",
  fix: "Send the call once, with the final arguments, and wait for the approval.",
  relaxable: true,
  appliesTo: ({ surface, sensitiveVerb }) => surface === "natural" && Boolean(sensitiveVerb),
  find: ({ tool, arguments: args }) =>
    tool.sensitiveVerb && !staysInside(tool.effects?.(args) ?? [])
      ? [{ message: `The name of the tool ${tool.name} has the word "${tool.sensitiveVerb}".`, text: tool.name }]
      : noDetectorMatches,
};

/** Recognises effects that end inside Handrail. A tool of ours that declares them says more than its name does. */
const staysInside = (effects: readonly DeclaredEffect[]): boolean =>
  effects.some(({ inside }) => inside !== undefined) && effects.every(({ kind, inside }) => inside !== undefined || kind === "read");
