import { LRUCache } from "lru-cache";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { makeRateLimit } from "@/server/platform/rate-limit";

const usualMessagesPerMinute = 60;

const limits = () => processWide("messengers.visitLimits", () => new LRUCache<string, ReturnType<typeof makeRateLimit>>({ max: 20_000 }));

function take(key: string, rate: { burst: number; perSecond: number }): void {
  const known = limits().get(key);
  const limit = known ?? makeRateLimit(rate);
  if (!known) limits().set(key, limit);
  const pauseMs = limit(0);
  if (pauseMs > 0) throw tooMany(pauseMs);
  limit(1);
}

const tooMany = (pauseMs: number) =>
  new AppError("too_many_requests", "Too many messages at once. Wait a moment, then send it again.", {
    retryAfterSeconds: pauseMs / 1_000,
  });

/** Counts what a visitor's page asks for. @throws AppError `too_many_requests` */
export function countVisit(chat: string): void {
  take(`visit ${chat}`, { burst: 30, perSecond: 2 });
}

/** Counts a message: each visitor has 20 a minute, and all of a website together what its setting says. @throws AppError `too_many_requests` */
export function countMessage(messengerId: string, chat: string, perMinute: string | undefined): void {
  take(`message ${chat}`, { burst: 10, perSecond: 20 / 60 });
  const all = readMessagesPerMinute(perMinute) ?? usualMessagesPerMinute;
  take(`messages ${messengerId} ${all}`, { burst: all, perSecond: all / 60 });
}

/** Reads the setting; null when it is empty or no whole number from 1 to 10,000. */
export function readMessagesPerMinute(text: string | undefined): number | null {
  const count = /^\d{1,5}$/.test(text?.trim() ?? "") ? Number(text) : 0;
  return count >= 1 && count <= 10_000 ? count : null;
}
