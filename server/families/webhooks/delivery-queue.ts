import { createHash } from "node:crypto";
import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** One item is one try of one delivery. The delivery's row stores when its tries are due. */
export const deliveryQueue = defineQueue({
  name: "deliver_webhook",
  title: "Webhook deliveries",
  description: "One item per try of a delivery",
  input: z.object({ deliveryId: Id, attempt: z.number().int().positive() }),
  concurrency: 16,
  // The most tries that a hanging receiver can block.
  groupConcurrency: 4,
});

/** Groups the tries by address. The group is a hash, because an address is often a secret of its receiver. */
export const groupOfAddress = (url: string): string => createHash("sha256").update(url).digest("base64url").slice(0, 22);
