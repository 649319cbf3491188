import { z } from "zod";

/** An effect, reduced to what refusals compare: a path of the workspace, a host or another thing that is read, changed or reached. */
export const ComparableEffect = z.object({ act: z.enum(["read", "change", "reach"]), target: z.string() });
export type ComparableEffect = z.infer<typeof ComparableEffect>;

/** A call of a conversation that people refused. A denial by policy is none: nobody was asked, so nobody said no. */
export const Refusal = z.object({
  callId: z.string(),
  tool: z.string(),
  digest: z.string().describe("Of tool and arguments: the same call again is recognised by it."),
  touches: z.array(ComparableEffect).describe("The targets that the question was about."),
  by: z.enum(["person", "expiry"]).describe("`expiry`: nobody answered in time, which counts as a rejection."),
  reason: z.string(),
  at: z.number().describe("Milliseconds since 1970."),
});
export type Refusal = z.infer<typeof Refusal>;
