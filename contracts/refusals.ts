import { z } from "zod";

/** A target that a call reads, changes or reaches: a path of the workspace, a host, another resource. */
export const Touch = z.object({ act: z.enum(["read", "change", "reach"]), target: z.string() });
export type Touch = z.infer<typeof Touch>;

/** A call of a conversation that a person or the policy refused. */
export const Refusal = z.object({
  callId: z.string(),
  tool: z.string(),
  digest: z.string().describe("Of tool and arguments: the same call again is recognised by it."),
  touches: z.array(Touch),
  by: z.enum(["person", "policy"]),
  policyVersion: z.int().describe("The policy's version at that time: a refusal by the policy counts while the version is the same."),
  reason: z.string(),
  at: z.number().describe("Milliseconds since 1970."),
});
export type Refusal = z.infer<typeof Refusal>;
