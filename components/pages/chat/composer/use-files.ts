"use client";

import { useState } from "react";
import { readProblem } from "@/components/kit/api/api-problem";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { type ChatFile, chatEndpoints, maxFileBytes } from "@/contracts/browser/runs/chats";
import { maxAttachments } from "@/contracts/browser/runs/runs";
import { randomKey } from "./random-key";

export type AddedFile = { key: string; name: string; bytes: number } & (
  | { state: "sending" }
  | { state: "stored"; path: string }
  | { state: "failed"; error: string }
);

/** Files of the message that is being written. Each is stored in the conversation's folder as soon as it is added. */
export function useFiles(requireConversation: () => Promise<string>) {
  const [files, setFiles] = useState<readonly AddedFile[]>([]);
  const settle = (key: string, end: { state: "stored"; path: string } | { state: "failed"; error: string }) =>
    setFiles((before) => before.map((file) => (file.key === key ? { key, name: file.name, bytes: file.bytes, ...end } : file)));

  const add = async (chosen: readonly File[]) => {
    const room = chosen.slice(0, Math.max(0, maxAttachments - files.length));
    const added = room.map((file) => ({ file, key: randomKey() }));
    setFiles((before) => [
      ...before,
      ...added.map(({ file, key }) => ({ key, name: file.name, bytes: file.size, state: "sending" as const })),
    ]);
    // One after the other, because the first may open the conversation.
    for (const { file, key } of added) {
      try {
        const { path } = await store(file, requireConversation);
        settle(key, { state: "stored", path });
      } catch (error) {
        settle(key, { state: "failed", error: error instanceof RangeError ? error.message : toErrorSentence(error) });
      }
    }
  };
  return {
    files,
    add,
    remove: (key: string) => setFiles((before) => before.filter((file) => file.key !== key)),
    clear: () => setFiles([]),
    paths: files.flatMap((file) => (file.state === "stored" ? [file.path] : [])),
    isSending: files.some(({ state }) => state === "sending"),
  };
}

async function store(file: File, requireConversation: () => Promise<string>): Promise<ChatFile> {
  if (file.size > maxFileBytes) throw new RangeError(`Larger than ${formatBytes(maxFileBytes)}. Choose a smaller file.`);
  if (file.size === 0) throw new RangeError("The file is empty. Choose another one.");
  const id = await requireConversation();
  const response = await fetch(endpointAddress(chatEndpoints.addFile, { params: { id }, query: { name: file.name } }), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/octet-stream", accept: "application/json" },
    body: file,
  });
  if (!response.ok) throw await readProblem(response);
  return (await response.json()) as ChatFile;
}
