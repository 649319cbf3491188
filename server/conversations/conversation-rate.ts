import { LRUCache } from "lru-cache";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";

const minuteMs = 60_000;
const maxEntries = 10_000;

/** Token bucket of each actor: conversations left, and when they were counted (milliseconds since 1970). */
const buckets = () => processWide("conversations.rate", () => new LRUCache<string, { left: number; at: number }>({ max: maxEntries }));

/**
 * Takes one conversation from the actor's token bucket, which holds a minute's worth and refills evenly.
 * @throws AppError `too_many_requests` with the seconds to wait
 */
export function takeConversation(actorId: string, perMinute: number, now = Date.now()): void {
  const known = buckets().get(actorId) ?? { left: perMinute, at: now };
  const left = Math.min(perMinute, known.left + ((now - known.at) / minuteMs) * perMinute);
  if (left < 1) {
    buckets().set(actorId, { left, at: now });
    const retryAfterSeconds = Math.ceil(((1 - left) / perMinute) * 60);
    throw new AppError(
      "too_many_requests",
      `This caller opened ${perMinute} conversations within a minute, which is as many as it may. Reuse one, or try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
  buckets().set(actorId, { left: left - 1, at: now });
}
