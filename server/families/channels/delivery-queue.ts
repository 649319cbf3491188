import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** One item is one message at one watch. */
export const deliveryQueue = defineQueue({
  name: "deliver_channel_message",
  title: "Messages between agents",
  description: "Delivers a message to an agent that watches its channel",
  input: z.object({ messageId: Id, watchId: Id }),
});
