import "server-only";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { type BrowserSession, openSession } from "./browser-session";
import { claimedConversations, claimSession, releaseSession } from "./session-place";

export const maxSessions = 5;
export const idleMs = 30 * 60_000;
/** A browser that was used more recently is never closed for another conversation. */
const replaceableMs = 60_000;
const maxRemembered = 200;

const openFirst = "No browser running. Use action=open with a url first.";
const openAgain = "Its pages are gone. Use action=open with a url to begin again.";

type Opening = Promise<BrowserSession>;

const sessions = () => processWide("browser.sessions", () => new Map<string, Opening>());
/** Reasons for which browsers ended, until their conversation hears of it. */
const endings = () => processWide("browser.endings", () => new Map<string, string>());

export const openSessions = (): number => sessions().size;
export const hasSession = (conversationId: string): boolean => sessions().has(conversationId);

/** Returns the browser of a conversation on this replica. @throws AppError `conflict` when there is none */
export async function findSession(conversationId: string): Promise<BrowserSession> {
  const session = await sessions().get(conversationId);
  if (session) return session;
  const ending = takeEnding(conversationId);
  throw new AppError("conflict", ending ? `${ending} ${openAgain}` : openFirst);
}

/** Returns why the conversation's browser ended, once; null when there was none or the model asked for the end. */
export function takeEnding(conversationId: string): string | null {
  const ending = endings().get(conversationId) ?? null;
  endings().delete(conversationId);
  return ending;
}

type StartOptions = { privateHosts: readonly string[]; signal: AbortSignal; most?: number };

/**
 * Starts the browser of a conversation, or returns the one that runs. The caller has made sure that no other replica has it.
 * @throws AppError `too_many_requests` when too many browsers are in use
 */
export async function startSession(conversationId: string, options: StartOptions): Promise<{ session: BrowserSession; isNew: boolean }> {
  const running = sessions().get(conversationId);
  if (running) return { session: await running, isNew: false };
  // A browser that ends late must not end its successor.
  const onEnd = (reason: string) => {
    if (sessions().get(conversationId) === opening) void endSession(conversationId, reason);
  };
  // Registered before anything is awaited: two starts at once must not both pass the limit.
  const opening: Opening = makeRoom(options.most ?? maxSessions).then(() => openSession(conversationId, { ...options, onEnd }));
  sessions().set(conversationId, opening);
  endings().delete(conversationId);
  try {
    const session = await opening;
    // Once more, because the end of an earlier browser may have released the claim meanwhile.
    if ((await claimSession(conversationId)) === null) return { session, isNew: true };
    await session.launched.close();
    throw new AppError("conflict", "Another replica started a browser for this conversation at the same time. Send the call again.");
  } catch (error) {
    if (sessions().get(conversationId) === opening) sessions().delete(conversationId);
    await releaseSession(conversationId).catch(() => {});
    throw error;
  }
}

/** Closes the browser that was idle longest when all places are taken. Reads the count before its first `await`. */
async function makeRoom(most: number): Promise<void> {
  if (sessions().size < most) return;
  const settled = await Promise.allSettled([...sessions().values()].slice(0, most));
  const idle = settled
    .flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
    .filter(({ isBusy, usedAt }) => !isBusy && performance.now() - usedAt >= replaceableMs)
    .sort((one, other) => one.usedAt - other.usedAt)[0];
  const reason = "The browser was closed, because another conversation needed one and it was idle.";
  if (!idle || !(await endSession(idle.conversationId, reason))) {
    throw new AppError(
      "too_many_requests",
      `${most} browsers are in use, which is the most. Try again in a minute, or stop one with action=stop in its conversation.`,
    );
  }
}

/**
 * Ends the browser of a conversation.
 * @param reason a sentence that the conversation's next call is told; null when the model asked for the end
 * @returns false when there was none
 */
export async function endSession(conversationId: string, reason: string | null): Promise<boolean> {
  const opening = sessions().get(conversationId);
  if (!opening) return false;
  sessions().delete(conversationId);
  if (reason !== null) remember(conversationId, reason);
  await releaseSession(conversationId).catch((error) => log().warn({ reason: toErrorMessage(error) }, "a browser's claim was not removed"));
  const session = await opening.catch(() => null);
  await session?.launched.close();
  return true;
}

function remember(conversationId: string, reason: string): void {
  const oldest = endings().keys().next();
  if (endings().size >= maxRemembered && !oldest.done) endings().delete(oldest.value);
  endings().set(conversationId, reason);
}

/** Ends browsers that nobody used for a while, and those whose conversation was deleted. */
export async function endIdleSessions(idleLimitMs: number = idleMs): Promise<void> {
  if (sessions().size === 0) return;
  const claimed = await claimedConversations();
  for (const [conversationId, opening] of sessions()) {
    const session = await opening.catch(() => null);
    if (!session || session.isBusy) continue;
    if (!claimed.has(conversationId)) await endSession(conversationId, "The conversation was deleted.");
    else if (performance.now() - session.usedAt >= idleLimitMs)
      await endSession(conversationId, `The browser was closed after ${idleLimitMs / 60_000} minutes without use.`);
  }
}

/** Ends all browsers, for the server's shutdown. */
export async function endAllSessions(): Promise<void> {
  await Promise.all([...sessions().keys()].map((conversationId) => endSession(conversationId, null)));
}

/** Claims a conversation's browser for this replica; returns another replica that has it, or null. */
export const claimHere = (conversationId: string): Promise<string | null> =>
  hasSession(conversationId) ? Promise.resolve(null) : claimSession(conversationId);
