import "server-only";
import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { systemProgram } from "@/server/capabilities/sandbox/bubblewrap";
import { makeSemaphore } from "@/server/mcp/connect/limits/semaphore";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import type { DocumentTask, Extracted, ExtractTask, ProgramMessage, Rendered, RenderTask } from "./program/document-task";

/** Milliseconds that one document may take. */
export const maxDocumentMs = 110_000;
const heapMegabytes = 768;
/**
 * Limit of all writable memory: pictures and fonts lie outside of the heap. Node reserves 1.7 GB without using it, and
 * 0.65 GB for each thread of text recognition, of which there are up to three.
 */
const memoryBytes = 4_000 * 1_048_576;
const cpuSeconds = 180;
/** Documents that are processed at once; the others wait. */
const atOnce = 2;

const places = () => processWide("documentProgram", () => ({ take: makeSemaphore(atOnce, maxDocumentMs + 5_000) }));

type Listening = { signal: AbortSignal; progress: (sentence: string) => void };

/** Extracts the text of a document. @throws AppError with the reason */
export async function extractApart(task: ExtractTask, listening: Listening): Promise<Extracted> {
  const message = await runApart(task, listening);
  if (message.kind !== "extracted") throw damaged("another answer arrived");
  return message.extracted;
}

/** Renders a document from Markdown. @throws AppError with the reason */
export async function renderApart(task: RenderTask, listening: Listening): Promise<Rendered> {
  const message = await runApart(task, listening);
  if (message.kind !== "rendered") throw damaged("another answer arrived");
  return message.rendered;
}

/** Draws one page of a PDF as a PNG. @throws AppError with the reason */
export async function drawApart(bytes: Uint8Array, page: number, signal: AbortSignal): Promise<Uint8Array> {
  const message = await runApart({ work: "draw", bytes, page }, { signal, progress: () => {} });
  if (message.kind !== "drawn") throw damaged("another answer arrived");
  return message.picture;
}

/**
 * Runs one task in a process of its own, because a large document takes seconds, and a hostile one all memory. The process
 * has no environment, reads only the program and its packages, and can neither write files nor start programs.
 */
function runApart(task: DocumentTask, { signal, progress }: Listening): Promise<ProgramMessage> {
  return places().take(async () => {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ProgramMessage>();
    const child = start();
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const late = setTimeout(() => reject(tooSlow()), maxDocumentMs);
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors = (errors + String(chunk)).slice(-4_000);
    });
    child
      .on("message", (message: ProgramMessage) => {
        if (message.kind === "progress") progress(message.sentence);
        else if (message.kind === "failed") reject(new AppError(message.code, message.sentence));
        else resolve(message);
      })
      .on("error", (error) => reject(damaged(error.message)))
      .on("exit", (code, ending) => reject(endedEarly(code, ending, errors)));
    try {
      child.send(task, (error) => error && reject(damaged(error.message)));
      return await promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", stop);
      child.kill("SIGKILL");
    }
  });
}

/** Returns the words in front of a command that limit what one document takes; none without `prlimit`. */
export function documentLimitWords(): string[] {
  const program = systemProgram("prlimit");
  return program ? [program, `--cpu=${cpuSeconds}`, `--data=${memoryBytes}`, "--core=0"] : [];
}

function start(): ChildProcess {
  // The source files themselves, because no bundle holds them; Node strips the types.
  const program = path.join(/* turbopackIgnore: true */ process.cwd(), "server/families/documents/program/document-program.ts");
  const decoder = path.join(/* turbopackIgnore: true */ process.cwd(), "server/platform/text-encoding");
  const packages = path.join(/* turbopackIgnore: true */ process.cwd(), "node_modules");
  const manifest = path.join(/* turbopackIgnore: true */ process.cwd(), "package.json");
  const options = [
    `--max-old-space-size=${heapMegabytes}`,
    "--permission",
    ...[path.dirname(program), decoder, packages, manifest].map((readable) => `--allow-fs-read=${readable}`),
    // Fonts, pictures and recognition are native code or run in threads.
    "--allow-addons",
    "--allow-worker",
    "--disable-warning=ExperimentalWarning",
    "--disable-warning=SecurityWarning",
  ];
  const [limits, ...words] = documentLimitWords();
  return fork(program, {
    ...(limits ? { execPath: limits, execArgv: [...words, process.execPath, ...options] } : { execArgv: options }),
    // Next's types require NODE_ENV in every environment.
    env: {} as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
  });
}

const tooSlow = () =>
  new AppError("timed_out", `The document took longer than ${maxDocumentMs / 1_000} seconds. Ask for fewer pages, sheets or rows.`);

const damaged = (reason: string) => new AppError("unavailable", `The document could not be processed: ${reason}. Try again.`);

function endedEarly(code: number | null, ending: string | null, errors: string): AppError {
  if (/heap out of memory|allocation failed|out of memory/i.test(errors) || ending === "SIGABRT" || ending === "SIGTRAP") {
    return new AppError("too_large", "The document needs more memory than one document may take. Ask for fewer pages, sheets or rows.");
  }
  if (ending === "SIGXCPU") return tooSlow();
  const reason = /^\w*Error[^\n]{0,300}/m.exec(errors)?.[0];
  return damaged(`its process ended with ${ending ?? `exit code ${code}`}${reason ? ` (${reason})` : ""}`);
}
