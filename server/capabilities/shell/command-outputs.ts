import "server-only";
import { randomUUID } from "node:crypto";
import { constants as fileFlags } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Files for the two streams of a command. */
export type Outputs = { stdout: FileHandle; stderr: FileHandle };

/**
 * Opens files for a command's output, so that much output never fills our memory. The files are unlinked at once: the
 * kernel frees them when their last writer ends, even if we are killed before.
 */
export async function openOutputs(): Promise<Outputs> {
  const stdout = await openNameless();
  try {
    return { stdout, stderr: await openNameless() };
  } catch (error) {
    await stdout.close();
    throw error;
  }
}

export async function closeOutputs({ stdout, stderr }: Outputs): Promise<void> {
  await Promise.all([stdout.close(), stderr.close()]);
}

/** Reads an output as text, never cut inside a character. Output beyond `maxBytes` loses its middle; a line in its place says so. */
export async function readOutputText(file: FileHandle, maxBytes: number): Promise<string> {
  const { size } = await file.stat();
  if (size <= maxBytes) return decode(await bytesOf(file, 0, size));
  const half = Math.floor(maxBytes / 2);
  const [head, tail] = await Promise.all([bytesOf(file, 0, half), bytesOf(file, size - half, half)]);
  const leftOut = (size - 2 * half).toLocaleString("en");
  const limit = maxBytes.toLocaleString("en");
  return `${decode(head, { stream: true })}\n[... ${leftOut} bytes left out here, because only ${limit} bytes of an output are kept ...]\n${decode(fromCharacter(tail))}`;
}

/** Reads the last bytes of an output that has `size` bytes so far; `isCut` when bytes before them were left out. */
export async function readOutputTail(file: FileHandle, size: number, length: number): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const start = Math.max(0, size - length);
  return { bytes: await bytesOf(file, start, size - start), isCut: start > 0 };
}

async function bytesOf(file: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** Drops the leading UTF-8 continuation bytes, because a cut may have split a character. */
function fromCharacter(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

/** Opens a file for reading and appending that has no name, so only processes that inherit it can reach it. */
export async function openNameless(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `handrail-output-${randomUUID()}`);
  const { O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = fileFlags;
  const handle = await open(file, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600);
  await unlink(file);
  return handle;
}

/** Decodes UTF-8; invalid bytes become U+FFFD. With `stream`, a character that is cut off at the end is dropped. */
function decode(bytes: Uint8Array, options?: { stream: boolean }): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, options);
}
