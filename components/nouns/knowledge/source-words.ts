import type { Tone } from "@/components/kit/ui/tone";
import type { KnowledgeSource } from "@/contracts/knowledge/knowledge-sources";

export const stateTones: Record<KnowledgeSource["state"], Tone> = {
  pending: "unavailable",
  processing: "running",
  completed: "allow",
  partial: "ask",
  failed: "deny",
};
export const stateWords: Record<KnowledgeSource["state"], string> = {
  pending: "Waiting",
  processing: "Reading",
  completed: "Read",
  partial: "Read with gaps",
  failed: "Failed",
};

/** Says how much of a source is read: "40 of 200 pages". */
export function progressWords({ state, pagesRead, pageCount, chunkCount }: KnowledgeSource): string {
  if (state === "processing" && pageCount !== null) return `${pagesRead ?? 0} of ${pageCount} pages`;
  if (state === "pending" || state === "processing" || state === "failed") return "";
  return [pageCount === null ? "" : count(pageCount, "page"), chunkCount === 0 ? "" : count(chunkCount, "passage")]
    .filter(Boolean)
    .join(", ");
}

export const count = (number: number, noun: string): string => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** Address of a source at a page or part. */
export const sourceAddress = (id: string, part: number | null = null): string => `/knowledge/sources/${id}?page=${part ?? 1}`;
