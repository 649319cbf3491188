import "server-only";
import type { BrowserContext, Dialog, Page, Request } from "playwright-core";
import { ownServersOf } from "@/server/capabilities/sandbox/network/conversation-network";
import type { ProxyEvent } from "@/server/capabilities/sandbox/network/host-proxy";
import { keepDownloads } from "./keep-downloads";
import { type KnownLines, noLines } from "./known-lines";
import { type LaunchedBrowser, launchBrowser } from "./launch-browser";
import { addNews, type News, quoted } from "./news";

/** The browser of one conversation, with its pages. */
export type BrowserSession = {
  conversationId: string;
  launched: LaunchedBrowser;
  context: BrowserContext;
  /** The page that actions act on: the newest, unless the model chose another tab. */
  page: Page;
  /** Answer to dialogs of the running action. */
  dialog: { accept: boolean; text?: string };
  /** The running action answers a page that asks for a file. */
  expectsFile: boolean;
  news: News;
  /** Connections of the running action that the proxy refused, or whose host did not answer. */
  troubles: ProxyEvent[];
  /** Requests under way that decide when a page has settled. */
  pending: Set<Request>;
  known: KnownLines;
  /** Milliseconds of the process's clock. */
  usedAt: number;
  isBusy: boolean;
  /** Resolves when the downloads that have begun are kept, or when `ms` have passed. */
  downloadsKept(ms: number): Promise<void>;
};

const maxTroubles = 50;
const asksForFile = "The page asks for a file. Use action=upload with path and the same ref.";
const maxTabs = 10;
const viewport = { width: 1_280, height: 800 };
const settlingTypes = new Set(["document", "script", "stylesheet", "xhr", "fetch"]);

export type OpenOptions = { privateHosts: readonly string[]; signal: AbortSignal; onEnd: (reason: string) => void };

/** Starts a browser with one empty page. `onEnd` learns when the browser ends by itself. */
export async function openSession(conversationId: string, { privateHosts, signal, onEnd }: OpenOptions): Promise<BrowserSession> {
  const news: News = { notes: [], quotes: [], files: [] };
  const troubles: ProxyEvent[] = [];
  const onConnection = (event: ProxyEvent) => {
    if (event.outcome === "reached" || event.reason === null) return;
    if (troubles.length < maxTroubles) troubles.push(event);
    if (event.outcome === "refused") addNews(news.notes, `Refused: ${event.reason}`);
  };
  const launched = await launchBrowser({ privateHosts, ownServers: ownServersOf(conversationId), onConnection, signal });
  try {
    const { server, credentials } = launched.network;
    const context = await launched.browser.newContext({
      viewport,
      acceptDownloads: true,
      // A service worker would answer for pages after its own checks of the network, and no page needs one here.
      serviceWorkers: "block",
      ...(credentials ? { proxy: { server, ...credentials, bypass: "<-loopback>" } } : {}),
    });
    const pending = new Set<Request>();
    const downloads = keepDownloads(news, launched.downloads);
    const session: BrowserSession = {
      ...{ conversationId, launched, context, news, troubles, pending },
      page: await context.newPage(),
      dialog: { accept: false },
      expectsFile: false,
      known: noLines,
      usedAt: performance.now(),
      isBusy: false,
      downloadsKept: downloads.kept,
    };
    const follow = (page: Page, { isPopup }: { isPopup: boolean }) => {
      if (isPopup && context.pages().length > maxTabs) {
        addNews(news.notes, `A new tab was closed, because ${maxTabs} tabs are open.`);
        void page.close().catch(() => {});
        return;
      }
      page.on("dialog", (dialog) => void answerDialog(session, dialog));
      page.on("download", downloads.keep);
      page.on("filechooser", () => session.expectsFile || addNews(news.notes, asksForFile));
      page.on("crash", () => onEnd("A page crashed the browser."));
      page.on("close", () => leave(session, page));
      if (!isPopup) return;
      session.page = page;
      addNews(news.notes, "A new tab opened and is the current one; switch_tab goes back.");
    };
    follow(session.page, { isPopup: false });
    context.on("page", (page) => follow(page, { isPopup: true }));
    context.on("request", (request) => settlingTypes.has(request.resourceType()) && pending.add(request));
    context.on("requestfinished", (request) => pending.delete(request));
    context.on("requestfailed", (request) => pending.delete(request));
    launched.browser.on("disconnected", () => onEnd("The browser ended unexpectedly."));
    return session;
  } catch (error) {
    await launched.close();
    throw error;
  }
}

/** Makes the newest other tab the current one when the current one was closed. */
function leave(session: BrowserSession, closed: Page): void {
  if (session.page !== closed) return;
  const last = session.context.pages().at(-1);
  if (!last) return;
  session.page = last;
  addNews(session.news.notes, "The tab was closed; another tab is the current one.");
}

async function answerDialog(session: BrowserSession, dialog: Dialog): Promise<void> {
  const { accept, text } = session.dialog;
  // A page that is left asks whether to stay; the model has decided to leave.
  const isLeaving = dialog.type() === "beforeunload";
  const isAccepted = isLeaving || accept;
  if (!isLeaving)
    addNews(
      session.news.quotes,
      `The page showed ${dialog.type()} ${quoted(dialog.message())}; it was ${isAccepted ? "accepted" : "dismissed"}.`,
    );
  await (isAccepted ? dialog.accept(text) : dialog.dismiss()).catch(() => {});
}
