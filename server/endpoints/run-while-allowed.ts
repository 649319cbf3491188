import "server-only";
import { AppError } from "@/server/platform/errors";
import { onSignal } from "@/server/platform/signals/bus";

type Caller = { signal: AbortSignal; isStillAllowed: () => Promise<boolean> };

/**
 * Runs work that a caller waits for, such as the end of a turn. When the caller's access ends meanwhile (a revoked key, a
 * sign-out), the wait ends at once and the result is withheld.
 * @throws AppError `unauthenticated`
 */
export async function runWhileAllowed<T>({ signal, isStillAllowed }: Caller, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const leave = () => ended.abort();
  let isRefused = false;
  const check = async () => {
    if (await isStillAllowed()) return;
    isRefused = true;
    leave();
  };
  let checked = Promise.resolve();
  const off = onSignal("access", () => {
    checked = check();
  });
  signal.addEventListener("abort", leave);
  if (signal.aborted) leave();
  try {
    const answer = await work(ended.signal);
    await checked;
    // A key expires without a signal, and a signal may be lost.
    if (!isRefused) await check();
    if (isRefused) throw new AppError("unauthenticated", "Your access ended while you waited. Sign in again, or use another API key.");
    return answer;
  } finally {
    off();
    signal.removeEventListener("abort", leave);
  }
}
