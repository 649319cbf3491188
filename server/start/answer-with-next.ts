import "server-only";
import type { Answering } from "./serve";

type Given = { root: string; port: number; isDev: boolean };

/**
 * Everything that Next answers, in this process. Next takes most of a second to get ready: whoever asks before that
 * waits for it.
 *
 * @returns `prepare` gets it ready; it rejects when Next cannot start
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
  // Only now: loading it takes longer than all that is ours.
  const { default: next } = await import("next");
  const app = next({ dir: root, dev: isDev, port, hostname: "localhost", customServer: true, quiet: !isDev });
  await app.prepare();
  return { answer: app.getRequestHandler(), upgrade: app.getUpgradeHandler(), close: () => app.close() };
}
