import "server-only";
import type { Answering } from "./serve";

type Given = { root: string; port: number; isDev: boolean };

/**
 * Answers requests with Next in this process. Next takes most of a second to load; earlier requests wait for the load.
 *
 * @returns `prepare` loads Next, and rejects when Next cannot start
 */
export function answerWithNext(given: Given): Answering & { prepare: () => Promise<void> } {
  let preparing: ReturnType<typeof startNext> | null = null;
  const prepared = () => {
    preparing ??= startNext(given);
    return preparing;
  };
  return {
    prepare: async () => void (await prepared()),
    answer: async (request, response) => (await prepared()).answer(request, response),
    upgrade: given.isDev ? async (request, socket, head) => (await prepared()).upgrade(request, socket, head) : undefined,
    close: async () => (await preparing)?.close(),
  };
}

async function startNext({ root, port, isDev }: Given) {
  // Imported late, because Next takes longer to load than all of Handrail's own code.
  const { default: next } = await import("next");
  const app = next({ dir: root, dev: isDev, port, hostname: "localhost", customServer: true, quiet: !isDev });
  await (isDev ? app.prepare() : withoutChatter(() => app.prepare()));
  return { answer: app.getRequestHandler(), upgrade: app.getUpgradeHandler(), close: () => app.close() };
}

/** Silences `console.log`, so that the address stays the last line on the terminal. Next's errors still appear. */
async function withoutChatter(work: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = () => {};
  try {
    await work();
  } finally {
    console.log = log;
  }
}
