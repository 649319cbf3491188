import { z } from "zod";
import { Id } from "@/contracts/common";
import { defineQueue } from "@/server/platform/queue";

const input = z.object({ approvalId: Id });

/** Work items that expire an approval; each approval queues one for its `expiresAt`. */
export const expiryQueue = defineQueue({
  name: "expire_approval",
  title: "Approval expiry",
  description: "One item per approval, due when its time is up",
  input,
  concurrency: 32,
});

/** Work items that escalate an approval; each approval with an escalation queues one for its `escalatesAt`. */
export const escalationQueue = defineQueue({
  name: "escalate_approval",
  title: "Approval escalation",
  description: "One item per approval whose rule escalates",
  input,
});
