import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** One item is one message at one watch. */
export const deliveryQueue = defineQueue({
  // The name of version 0.2: what is queued while Handrail is updated is still delivered.
  name: "deliver_channel_message",
  title: "Messages between agents",
  description: "Delivers a message to an agent that watches its topic",
  input: z.object({ messageId: Id, watchId: Id }),
});
