import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** One item starts what a trigger names, once. */
export const triggerQueue = defineQueue({
  name: "fire_trigger",
  title: "Triggers",
  description: "One item per event that a trigger follows",
  input: z.object({ firingId: Id }),
});
