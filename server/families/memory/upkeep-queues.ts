import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

const retry = { attempts: 3, firstDelaySeconds: 30, maxDelaySeconds: 600 };

/** One item is one run that ended. Of an agent one item is worked on at a time. */
export const extractionQueue = defineQueue({
  name: "extract_memory",
  title: "Extraction of memory",
  description: "After a conversation: the agent's model notes what is worth remembering, where an admin turned that on",
  input: z.object({ agentId: Id, conversationId: Id, runId: Id }),
  retry,
  concurrency: 2,
  groupConcurrency: 1,
});

export const nightlyQueue = defineQueue({
  name: "consolidate_memories",
  title: "Nightly consolidation",
  description: "At 03:00 UTC: queues the memories of agents for which an admin turned consolidation on",
  input: z.object({}),
  retry,
  concurrency: 1,
  schedule: "0 3 * * *",
});

/** One item is the memory of one owner; `cause` is the night, or an id of its own when a person asked for it. */
export const consolidationQueue = defineQueue({
  name: "consolidate_memory",
  title: "Consolidation of memory",
  description: "The agent's model rewrites MEMORY.md of one owner from the latest daily notes",
  input: z.object({ agentId: Id, ownerKey: z.string(), cause: z.string() }),
  retry,
  concurrency: 2,
  groupConcurrency: 1,
});
