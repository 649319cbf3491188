import "server-only";
import type { MediaKind } from "@/contracts/models/media";
import { retry } from "@/server/platform/retry";
import type { MediaClient } from "../providers/media-client";
import { MediaFault } from "../providers/media-fault";
import type { MadeFile } from "../providers/provider";
import { kindWords } from "../settings/media-chain";
import { formatOf, maxMediaBytes } from "./media-type";

export type MediaFile = { name: string; mediaType: string; bytes: Uint8Array };

type Options = { kind: MediaKind; client: MediaClient; signal: AbortSignal; progress: (line: string) => void };

const names: Readonly<Record<MediaKind, string>> = { image: "image", video: "video", music: "music", model3d: "model" };
const downloadAttempts = 3;

/**
 * Loads the files of an answer, and checks by their first bytes that they are of the kind.
 * @throws MediaFault for a file that is too large, cannot be downloaded, or is something else
 */
export async function collectFiles(made: readonly MadeFile[], { kind, client, signal, progress }: Options): Promise<MediaFile[]> {
  const files: MediaFile[] = [];
  for (const [index, file] of made.entries()) {
    if ("url" in file) progress(made.length === 1 ? "Downloading the file" : `Downloading file ${index + 1} of ${made.length}`);
    const bytes = "bytes" in file ? file.bytes : await download(file, { kind, client, signal });
    if (bytes.byteLength > maxMediaBytes[kind]) {
      throw new MediaFault("unknown", `made a file of more than ${Math.round(maxMediaBytes[kind] / 1_048_576)} MiB`);
    }
    const format = formatOf(kind, bytes);
    if (!format) throw new MediaFault("unknown", `sent something else than ${kindWords[kind].one}`);
    const number = made.length === 1 ? "" : `-${index + 1}`;
    files.push({ name: `${names[kind]}${number}.${format.ending}`, mediaType: format.mediaType, bytes });
  }
  return files;
}

function download(file: Extract<MadeFile, { url: string }>, { kind, client, signal }: Pick<Options, "kind" | "client" | "signal">) {
  return retry(() => client.download(file.url, { maxBytes: maxMediaBytes[kind], withKey: file.withKey === true }), {
    attempts: downloadAttempts,
    firstPauseMs: 500,
    maxPauseMs: 4_000,
    signal,
    mayRecover: (error) => error instanceof MediaFault && error.mayRecover,
  });
}
