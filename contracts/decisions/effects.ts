import { z } from "zod";

export const effectKinds = ["read", "write", "delete", "execute", "connect", "send", "elevate", "signal", "schedule", "query"] as const;
export const targetPlaces = ["inside", "outside", "not_known"] as const;
export const targetClasses = [
  "sensitive",
  "runs_by_itself",
  "device",
  "metadata",
  "private",
  "system",
  "temporary",
  "rebuildable",
  "made_here",
  "no_copy",
] as const;

/** A range of an argument's text: characters `start` to `end` (exclusive). */
export const Span = z.object({
  argument: z.string().describe("JSON pointer of the argument that holds the words."),
  start: z.int(),
  end: z.int(),
});
export type Span = z.infer<typeof Span>;

export const EffectTarget = z.object({
  where: z
    .enum(targetPlaces)
    .describe(
      "`inside`: the conversation's folder, or what the sandbox gives to every call. `not_known`: decided only when the call runs.",
    ),
  path: z
    .string()
    .optional()
    .describe(
      "Relative to the conversation's folder where it lies inside, else as written; the file behind a link where the call is real.",
    ),
  host: z.string().optional().describe("Name or address, with `:port` where the call names a port."),
  program: z.string().optional(),
  class: z.enum(targetClasses).optional(),
});
export type EffectTarget = z.infer<typeof EffectTarget>;

/** One thing that a call does to one target. */
export const Effect = z
  .object({
    kind: z.enum(effectKinds),
    target: EffectTarget,
    recursive: z.literal(true).optional(),
    irreversible: z.literal(true).optional().describe("What it destroys exists nowhere else."),
    namesOnly: z.literal(true).optional().describe("A read of names and attributes, not of contents."),
    evidence: Span.describe("The words of the call that say so."),
  })
  .meta({ id: "Effect" });
export type Effect = z.infer<typeof Effect>;

/** Whether commands of calls run in the sandbox, and the reason for people. */
export const SandboxStatus = z
  .object({
    setting: z.enum(["auto", "required", "off"]).describe("HANDRAIL_SANDBOX."),
    isOn: z.boolean(),
    kind: z.literal("bubblewrap").nullable(),
    sentence: z.string().describe("One sentence for people: what holds programs, or why nothing does and what to do."),
  })
  .meta({ id: "SandboxStatus" });
export type SandboxStatus = z.infer<typeof SandboxStatus>;
