import { z } from "zod";
import { Id } from "../common";

/** An agent that handed a task on to another agent. */
export const Delegator = z.object({
  agentId: Id,
  agent: z.string().describe("Its name at that time."),
  conversationId: Id.describe("The conversation in which it did so."),
});
export type Delegator = z.infer<typeof Delegator>;
