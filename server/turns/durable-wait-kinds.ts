import "server-only";
import { processWide } from "@/server/platform/process-wide";
import { jobWait } from "./background/job-wait";
import type { DurableWait } from "./waits/durable-wait";

/** What calls can wait for, by kind: background jobs, and what other rooms provide. */
export const durableWaitKinds = () => processWide("durableWaits", () => new Map<string, DurableWait>([["job", jobWait]]));
