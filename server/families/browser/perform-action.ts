import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "@/contracts/common";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { type ToolResult, toolResult } from "@/server/tools/define-tool";
import { fenceExternalText } from "@/server/tools/results/external-text";
import type { ActionDone, Perform } from "./action-done";
import { actions } from "./actions";
import { type ActionRun, type BrowserAction, isActing, type UploadFile } from "./browser-action";
import type { BrowserSession } from "./browser-session";
import { assertHost } from "./element-of";
import { addNews, quoted } from "./news";
import { readSnapshot, shortView } from "./page-snapshot";
import { endSession, findSession, hasSession, startSession, takeEnding } from "./sessions";

type Context = {
  conversationId: string;
  privateHosts: readonly string[];
  approvedHosts?: readonly string[];
  uploads?: readonly UploadFile[];
  signal: AbortSignal;
};

/** Time beside an action's own limit, for what follows it: a page that settles, downloads, the snapshot. */
const spareMs = 12_000;
const settleMs = 2_000;
const settlePollMs = 40;
const downloadMs = 5_000;
const snapshotMs = 5_000;
/** A page of a list brings more lines than other actions change. */
const readingChars = 8_000;
const maxUrlChars = 500;

/** Performs an action on the conversation's browser, which this replica keeps. @throws AppError */
export async function performHere(action: BrowserAction, context: Context): Promise<ToolResult> {
  const { conversationId, privateHosts, approvedHosts = [], uploads = [], signal } = context;
  const { action: name } = action;
  if (name === "start") return start(context);
  if (name === "open" && !hasSession(conversationId)) await startUnasked(context);
  if (name === "stop") {
    const ended = await endSession(conversationId, null);
    return toolResult({
      text: ended ? "The browser was stopped." : "No browser was running.",
      structuredContent: { ok: true, action: "stop" },
    });
  }
  const session = await findSession(conversationId);
  if (session.isBusy)
    throw new AppError("conflict", "The browser of this conversation still performs another action. Send this one after it.");
  session.isBusy = true;
  session.launched.network.allow([...privateHosts, ...approvedHosts]);
  session.troubles.length = 0;
  session.dialog = { accept: action.dialog === "accept", ...(action.promptText === undefined ? {} : { text: action.promptText }) };
  try {
    return await withinTime(session, action.timeoutSeconds * 1_000, signal, (stop) =>
      perform(session, actions[name], {
        ...action,
        uploads,
        signal: stop,
        timeout: action.timeoutSeconds * 1_000,
      }),
    );
  } finally {
    session.isBusy = false;
    // An approval holds for its own action, so the page's later requests no longer reach the host.
    session.launched.network.allow(privateHosts);
    session.dialog = { accept: false };
    session.usedAt = performance.now();
  }
}

async function start({ conversationId, privateHosts, signal }: Context): Promise<ToolResult> {
  const { session, isNew } = await startSession(conversationId, { privateHosts, signal });
  session.launched.network.allow(privateHosts);
  session.usedAt = performance.now();
  const text = isNew
    ? `The browser started${session.launched.isConfined ? "" : ", without a sandbox"}. Use action=open with a url.`
    : `The browser runs already, at ${session.page.url()}.`;
  return toolResult({ text, structuredContent: { ok: true, action: "start", isNew, isConfined: session.launched.isConfined } });
}

/** Starts the browser for an action that needs nothing else; the result says why an earlier browser is gone. */
async function startUnasked({ conversationId, privateHosts, signal }: Context): Promise<void> {
  const ending = takeEnding(conversationId);
  const { session, isNew } = await startSession(conversationId, { privateHosts, signal });
  if (!isNew) return;
  if (ending) addNews(session.news.notes, `${ending} Its pages are gone.`);
  addNews(session.news.notes, `The browser started${session.launched.isConfined ? "" : ", without a sandbox"}.`);
}

/** Runs an action with a last time limit. A page that blocks everything costs the browser, because nothing else ends it. */
async function withinTime<T>(
  session: BrowserSession,
  timeout: number,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(timeout + spareMs);
  const signal = AbortSignal.any([outer, late]);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const running = run(signal);
  running.catch(() => {});
  try {
    return await Promise.race([running, stopped]);
  } catch (error) {
    if (outer.aborted) throw outer.reason;
    if (!late.aborted) throw error;
    await endSession(session.conversationId, null);
    throw new AppError(
      "timed_out",
      "The page did not react any more, so the browser was closed. Use action=open with a url to begin again.",
    );
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function perform(session: BrowserSession, act: Perform, run: ActionRun): Promise<ToolResult> {
  try {
    if (isActing(run.action)) await assertHost(session, run);
    const performed = await act(session, run);
    if (typeof performed === "function" || performed.changesPage) await settle(session, run.signal);
    const done = typeof performed === "function" ? await performed() : performed;
    await session.downloadsKept(downloadMs);
    return await answered(session, run, done);
  } catch (error) {
    throw explained(error, session, run);
  }
}

/** Waits until the page's requests have ended, for two seconds at the most. */
async function settle({ page, pending }: BrowserSession, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + settleMs;
  await wait(settlePollMs * 2, undefined, { signal });
  while (performance.now() < deadline && [...pending].some((request) => !request.failure() && isOfPage(request, page))) {
    await wait(settlePollMs, undefined, { signal });
  }
  await page.waitForLoadState("domcontentloaded", { timeout: settleMs }).catch(() => {});
  pending.clear();
}

function isOfPage(request: { frame(): { page(): unknown } }, page: unknown): boolean {
  try {
    return request.frame().page() === page;
  } catch {
    // A request of a navigation has no frame yet.
    return true;
  }
}

async function answered(session: BrowserSession, { action, signal }: ActionRun, done: ActionDone): Promise<ToolResult> {
  const { page, news } = session;
  const url = page.url();
  const title = await page.title().catch(() => "");
  const view = done.changesPage
    ? shortView(
        session,
        await readSnapshot(session, signal, snapshotMs).catch((error) => `[No snapshot: ${firstLine(error)}]`),
        done.readsOn ? { shortChars: readingChars, withUnread: true } : {},
      )
    : done.external;
  const [notes, quotes, files] = [news.notes.splice(0), news.quotes.splice(0), news.files.splice(0)];
  const external = [`Title: ${quoted(title)}`, ...quotes, ...(view === undefined ? [] : ["", view])].join("\n");
  const downloads = files.map(({ name, bytes }) => ({ name, bytes: bytes.byteLength }));
  const facts: JsonObject = { ok: true, action, url, title, ...done.facts, ...(downloads.length > 0 ? { downloads } : {}) };
  return toolResult({
    text: [done.said, `Page: ${url.slice(0, maxUrlChars)}`, ...notes, fenceExternalText(external, URL.parse(url)?.host || url)].join("\n"),
    structuredContent: facts,
    ...(files.length + (done.files?.length ?? 0) > 0 ? { files: [...(done.files ?? []), ...files] } : {}),
  });
}

const firstLine = (error: unknown): string =>
  toErrorMessage(error)
    .split("\n")[0]
    ?.replace(/^[\w.]+: /, "") ?? "";

/** Turns an error of Playwright into a sentence for the model. */
function explained(error: unknown, session: BrowserSession, run: ActionRun): unknown {
  if (isAppError(error) || run.signal.aborted) return error;
  const trouble = session.troubles.find(({ outcome }) => outcome === "refused") ?? session.troubles[0];
  const message = toErrorMessage(error);
  const line = firstLine(error);
  if (trouble?.reason && /net::ERR_TUNNEL_CONNECTION_FAILED/.test(line)) {
    return new AppError(trouble.outcome === "refused" ? "forbidden" : "unavailable", trouble.reason);
  }
  if (/Target (page, context or browser|closed)|has been closed|Target crashed/.test(message)) {
    return new AppError(
      "unavailable",
      "The page or the browser closed during the action. Use action=current_surface to see where you are.",
    );
  }
  if (/Timeout \d+ms exceeded/.test(message)) {
    const hindrance = /^.*(?:intercepts pointer events|not visible|not enabled|not stable|outside of the viewport).*$/m.exec(message)?.[0];
    const why = hindrance ? ` The page says: ${quoted(hindrance.replace(/^[\s-]+/, "").trim())}.` : "";
    return new AppError(
      "timed_out",
      `${run.action} did not succeed in ${run.timeout / 1_000} seconds.${why} Take a new snapshot, or raise timeoutSeconds.`,
    );
  }
  if (/strict mode violation/.test(message)) {
    return new AppError("invalid", "The selector fits more than one element. Use a ref from a snapshot, or a more exact selector.");
  }
  return new AppError("unavailable", `${run.action} failed. The browser says: ${quoted(line)}.`);
}
