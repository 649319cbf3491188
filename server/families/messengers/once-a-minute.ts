import { processWide } from "@/server/platform/process-wide";

const times = () => processWide("messengers.onceAMinute", () => new Map<string, number>());

/**
 * Lets strangers write down something about a messenger at most once a minute at each replica, because they choose how often they call.
 * @param about the messenger's id and a word for the kind of event
 */
export function isFirstThisMinute(about: string): boolean {
  const now = performance.now();
  const last = times().get(about);
  if (last !== undefined && now - last < 60_000) return false;
  times().set(about, now);
  return true;
}
