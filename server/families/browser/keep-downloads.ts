import "server-only";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Download } from "playwright-core";
import { detectMediaType } from "@/server/mcp/connect/content/detect-media-type";
import { addNews, type News, quoted } from "./news";

const maxBytes = 20 * 1_048_576;
const maxFiles = 5;
/** Bytes that unfinished downloads may take on the disk together; beyond, all of them are cancelled. */
const maxDiskBytes = 3 * maxBytes;
const pollIntervalMs = 500;
const tooLarge = `it has more than ${maxBytes / 1_048_576} MiB`;

/** Reads the files that a browser downloads into the news of its session. */
export function keepDownloads(news: News, folder: string): { keep: (download: Download) => void; kept: (ms: number) => Promise<void> } {
  const open = new Map<Download, Promise<void>>();
  const look = () =>
    setTimeout(() => {
      void bytesIn(folder).then((bytes) => {
        if (bytes > maxDiskBytes) for (const download of open.keys()) void download.cancel().catch(() => {});
        if (open.size > 0) look();
      });
    }, pollIntervalMs).unref();
  const keep = (download: Download) => {
    if (open.size === 0) look();
    open.set(
      download,
      keepOne(download, news).finally(() => open.delete(download)),
    );
  };
  const kept = async (ms: number) => {
    if (open.size === 0) return;
    const stop = new AbortController();
    await Promise.race([Promise.all(open.values()), wait(ms, undefined, { signal: stop.signal })]).finally(() => stop.abort());
    if (open.size > 0) addNews(news.notes, `${open.size} downloads go on. Their files come with a later result.`);
  };
  return { keep, kept };
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(path.join(/* turbopackIgnore: true */ folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((total, size) => total + size, 0);
}

async function keepOne(download: Download, news: News): Promise<void> {
  const name = fileName(download.suggestedFilename());
  try {
    if (news.files.length >= maxFiles) throw new Error(`${maxFiles} files wait for a result already`);
    const file = await download.path();
    if ((await stat(file)).size > maxBytes) throw new Error(tooLarge);
    const bytes = await readFile(file);
    news.files.push({ name, mediaType: detectMediaType(bytes), bytes });
    addNews(news.quotes, `Downloaded ${quoted(name)}, ${bytes.byteLength.toLocaleString("en")} bytes.`);
  } catch (error) {
    const reason = error instanceof Error && error.message.includes(tooLarge) ? tooLarge : "it could not be read";
    addNews(news.quotes, `The download ${quoted(name)} was not kept: ${reason}.`);
  } finally {
    await download.delete().catch(() => {});
  }
}

/** Returns the last part of a name that a server chose, without characters that a file name should not have. */
function fileName(suggested: string): string {
  const name = suggested
    .replaceAll(/[^\p{L}\p{N}._ ()-]/gu, "_")
    .replace(/^\.+/, "")
    .slice(-100);
  return name || "download";
}
