import { z } from "zod";

/** Actions of calls as subjects of rules: such a rule holds for every tool that does it. */
export const callActions = ["runs_commands", "reads_path", "writes_path", "connects_to"] as const;
export type CallAction = (typeof callActions)[number];

const prefix = "does:";

/** A rule's subject: `does:reads_path`. */
export const subjectOfAction = (action: CallAction): string => `${prefix}${action}`;

/** Returns the action that a rule's subject names; null for a tool, a glob or a kind of tools. */
export function actionOfSubject(subject: string): CallAction | null {
  if (!subject.startsWith(prefix)) return null;
  return callActions.find((action) => action === subject.slice(prefix.length)) ?? null;
}

/** The end of a sentence that begins with "any tool that". */
export const actionWords: Record<CallAction, string> = {
  runs_commands: "runs commands",
  reads_path: "reads a path",
  writes_path: "writes or deletes a path",
  connects_to: "connects to a host",
};

/** The text that a pattern of such a rule sees. */
export const actionTexts: Record<CallAction, string> = {
  runs_commands: "each command",
  reads_path: "each path, relative to the conversation's folder where it lies inside",
  writes_path: "each path, relative to the conversation's folder where it lies inside",
  connects_to: "each host, with `:port` where the call names a port",
};

export const ruleWarningKinds = ["unknown_tool", "open_pattern", "machine_program", "open_doors"] as const;

/** Something that a usable rule may not mean. It is saved all the same. */
export const RuleWarning = z
  .object({
    kind: z
      .enum(ruleWarningKinds)
      .describe(
        "`unknown_tool`: no tool of the workspace has the name. `open_pattern`: it matches longer words, too. `machine_program`: it allows every use of a program that has a machine in its hands. `open_doors`: other tools do the same.",
      ),
    field: z.enum(["tool", "pattern"]),
    message: z.string().describe("Sentences for people, with the way out."),
    doors: z.array(z.string()).describe("Tools that do the same and that the rule does not hold for, for `open_doors`."),
    instead: z
      .object({ tool: z.string().optional(), pattern: z.string().optional(), parameter: z.null().optional() })
      .nullable()
      .describe("Fields of the rule with which the warning would be gone; null without a certain one."),
  })
  .meta({ id: "RuleWarning" });
export type RuleWarning = z.infer<typeof RuleWarning>;
