import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import type { RunMessage } from "@/contracts/runs/runs";

/** What Handrail told the model between its replies: a summary of older messages, or the end of a background job. */
export function StepNote({ note }: { note: RunMessage }) {
  return (
    <FoldableBlock label={note.role === "summary" ? "Older messages, summarised for the model" : "Told to the model"} text={note.text} />
  );
}
