"use client";

import { PageError } from "@/components/pages/frame/page-error";

export default function ConsoleError({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return <PageError digest={error.digest ?? null} isUnloaded={error.name === "ChunkLoadError"} retry={retry} />;
}
