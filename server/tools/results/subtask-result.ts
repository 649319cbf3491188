import type { Json, JsonObject } from "@/contracts/common";

/** The result of a piece of work that ran apart from its caller, in the form that agent runtimes expect. */
export type SubtaskResult = {
  task_id: string;
  status: "done" | "failed";
  /** One line. */
  summary: string;
  output_kind: "text" | "json";
  /** Names the form of `output`. */
  output_schema: string;
  output: Json;
  /** Empty for work that is done. */
  error: string;
};

/** Returns a subtask's result with one line of summary and text that can be stored. */
export function subtaskResult({ summary, error, ...rest }: SubtaskResult): JsonObject {
  const [line = ""] = summary.trim().split("\n", 1);
  return { ...rest, summary: line.slice(0, 500).toWellFormed(), error: error.toWellFormed() };
}
