import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

/** One item is one erasure. Each step commits by itself, so that a repeated attempt goes on where a killed process stopped. */
export const erasureQueue = defineQueue({
  name: "erase_person",
  title: "Erasures",
  description: "Erases what the workspace holds of a person; an attempt goes on where the one before stopped",
  input: z.object({ erasureId: Id }),
  retry: { attempts: 100, firstDelaySeconds: 1, maxDelaySeconds: 60 },
  concurrency: 1,
});
