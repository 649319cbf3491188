import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { systemProgram } from "@/server/capabilities/sandbox/bubblewrap";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { readableHtml } from "../html-text";
import type { PageAnswer, PageTask } from "./page-program";

const maxMs = 5_000;
/** Starting a reader is not counted as reading, because a busy machine takes seconds for it. */
const maxStartMs = 20_000;
const idleMs = 60_000;
const heapMegabytes = 256;
/** CPU limit of a reader, which ends a reader whose server was killed in the middle of a page. */
const cpuSeconds = 60;
const maxLinks = 50;

type Reader = {
  child: ChildProcess | null;
  /** Settles with the current page. Pages are read one at a time, because a page that takes too long ends the shared reader. */
  busy: Promise<unknown>;
  idle: NodeJS.Timeout | null;
};

const reader = () => processWide("pageReader", (): Reader => ({ child: null, busy: Promise.resolve(), idle: null }));

/**
 * Converts an HTML page to Markdown, reduced to its article if it has one. Runs in a process of its own, because a large
 * page takes hundreds of milliseconds and a hostile page could take all memory. A page that exceeds time or memory is
 * read as plain text in this process, in linear time.
 */
export async function readPage(task: PageTask, maxChars: number): Promise<PageAnswer & { isPlain: boolean }> {
  const mine = reader().busy.then(() => readApart(task));
  reader().busy = mine.catch(() => {});
  try {
    const answer = await mine;
    return { ...answer, markdown: answer.markdown.slice(0, maxChars).toWellFormed(), isPlain: false };
  } catch (error) {
    log().warn({ err: error, host: URL.parse(task.url)?.host }, "a page could not be read as Markdown");
    const { title, text, links } = readableHtml(task.html, { baseUrl: task.url, maxChars, maxLinks });
    const list = links.map((link) => `- [${link.text}](${link.url})`);
    const markdown = [text, ...(list.length > 0 ? ["", "Links:", ...list] : [])].join("\n");
    return { title, markdown, isArticle: false, scripts: 0, isPlain: true };
  }
}

async function readApart(task: PageTask): Promise<PageAnswer> {
  const own = reader();
  if (own.idle) clearTimeout(own.idle);
  const isNew = own.child === null;
  own.child ??= start();
  const { child } = own;
  try {
    if (isNew) await nextMessage(child, maxStartMs);
    const answering = nextMessage(child, maxMs);
    child.send(task, () => {});
    const answer = (await answering) as PageAnswer;
    own.idle = setTimeout(() => stop(child), idleMs).unref();
    return answer;
  } catch (error) {
    stop(child);
    throw error;
  }
}

/** Waits for the next message of a reader: that it is ready, or its answer. */
async function nextMessage(child: ChildProcess, maxMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const late = setTimeout(() => reject(new Error(`it took longer than ${maxMs / 1_000} seconds`)), maxMs);
  const ended = (code: number | null, signal: string | null) => reject(new Error(`its reader ended with ${code ?? signal}`));
  child.once("message", resolve).once("error", reject).once("exit", ended);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    child.off("message", resolve).off("error", reject).off("exit", ended);
  }
}

function start(): ChildProcess {
  // The source file itself, because no bundle holds it; Node strips the types.
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), "server/families/web/tools/page-program.ts");
  const limits = systemProgram("prlimit");
  const child = fork(file, {
    ...(limits
      ? { execPath: limits, execArgv: [`--cpu=${cpuSeconds}`, "--core=0", process.execPath, ...nodeOptions] }
      : { execArgv: nodeOptions }),
    // Next's types require NODE_ENV in every environment.
    env: {} as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  // A reader that ends between two pages is replaced when the next page is read.
  child
    .on("error", () => {})
    .on("exit", () => {
      if (reader().child === child) reader().child = null;
    });
  child.unref();
  child.channel?.unref();
  return child;
}

const nodeOptions = [`--max-old-space-size=${heapMegabytes}`, "--disable-warning=ExperimentalWarning"];

function stop(child: ChildProcess): void {
  if (reader().child === child) reader().child = null;
  child.kill("SIGKILL");
}
