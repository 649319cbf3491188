import dynamic from "next/dynamic";
import type { RunFile } from "@/contracts/runs/runs";

const CallFiles = dynamic(() => import("@/components/nouns/calls/call-files").then((file) => file.CallFiles), { ssr: false });

/** Files that came with a model's reply, such as images of its provider's own generator. */
export function ReplyFiles({ files }: { files: readonly RunFile[] }) {
  const contentParts = files.map((file) => ({ type: "artifact" as const, ...file }));
  return <CallFiles call={{ name: "the model", truncated: null, contentParts }} />;
}
