"use client";

import { useState } from "react";
import { readProblem } from "@/components/kit/api/api-problem";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { knowledgeEndpoints } from "@/contracts/browser/knowledge/knowledge";
import { maxSourceBytes } from "@/contracts/browser/knowledge/knowledge-sources";

/** Sends files to a base, one after the other. A file that is refused does not keep the others back. */
export function useAddFiles(baseId: string, refresh: () => Promise<unknown>) {
  const [sending, setSending] = useState(0);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const add = async (files: readonly File[]) => {
    setFaults([]);
    setSending((before) => before + files.length);
    for (const file of files) {
      try {
        await send(baseId, file);
        await refresh();
      } catch (error) {
        const sentence = error instanceof RangeError ? error.message : toErrorSentence(error);
        setFaults((before) => [...before, `${file.name}: ${sentence}`]);
      } finally {
        setSending((before) => before - 1);
      }
    }
  };
  return { add, faults, isSending: sending > 0 };
}

async function send(id: string, file: File): Promise<void> {
  if (file.size > maxSourceBytes) throw new RangeError(`Larger than ${formatBytes(maxSourceBytes)}. Split it.`);
  const response = await fetch(endpointAddress(knowledgeEndpoints.addSource, { params: { id }, query: { name: file.name } }), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/octet-stream", accept: "application/json" },
    body: file,
  });
  if (!response.ok) throw await readProblem(response);
}
