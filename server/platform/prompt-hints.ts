import { processWide } from "./process-wide";

/** Situations in which a model is told which tool helps. */
export type PromptHints = {
  /** A file does not exist. */
  missing_file: string;
  /** A command is too long. */
  long_command: string;
  /** An extension tool was called before it was enabled; `{tool}` becomes its name. */
  inactive_tool: string;
  /** A tool refuses until its documentation was read; `{tool}` becomes its name. */
  undocumented_tool: string;
  /** The directory of extension tools was shown. */
  directory: string;
  /** The directory of extension tools was shortened to its sources, because a line for each tool would cost too much. */
  shortened_directory: string;
  /** Instructions of MCP servers did not fit into the prompt. */
  left_out_instructions: string;
  /** A call continues in the background. */
  background_job: string;
  /** A file is not text: the name of the tool that runs commands. */
  command_tool: string;
  /** A file is a document: the name of the tool that extracts its text. */
  document_tool: string;
  /** A result links to a resource. */
  resource_link: string;
  /** A call would replace a file that the conversation has not read. */
  unread_file: string;
  partly_read_file: string;
  /** A call would replace a file that changed after it was read. */
  changed_file: string;
  /** A command changed files of which copies are kept. */
  kept_copies: string;
};

const registry = () => processWide("promptHints", () => ({ hints: {} as Partial<PromptHints> }));

/** Sets the sentences. Families provide them, because only families know their tools. */
export function providePromptHints(hints: Partial<PromptHints>): void {
  Object.assign(registry().hints, hints);
}

/** Returns a sentence for the model; empty when no family provided one. */
export function promptHint(name: keyof PromptHints): string {
  return registry().hints[name] ?? "";
}
