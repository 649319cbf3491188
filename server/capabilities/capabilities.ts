import type { DelegateCapability } from "./delegate";
import type { FilesCapability } from "./files";
import type { HttpCapability } from "./http";
import type { ShellCapability } from "./shell";

/** Makes an extension tool callable in this conversation; answers the sentence for the model, or throws AppError. */
export type DisclosureCapability = { enable: (toolName: string) => Promise<string> };

/** The background jobs of this conversation, in sentences for the model. */
export type JobsCapability = {
  list: () => Promise<string>;
  /** Lines of a job's result, or how far it is. `offset` counts lines from 0; `column`, in the first of them, from 1. */
  read: (jobId: string, page: { offset: number; column: number; lines: number }) => Promise<string>;
  /** The result when the job ends within the time, else how far it is. */
  wait: (jobId: string, options: { seconds: number; signal: AbortSignal }) => Promise<string>;
  stop: (jobId: string) => Promise<string>;
};

/** Everything that a tool can be given. Each is guarded once, where it is made, and never in a tool. */
export type Capabilities = {
  files: FilesCapability;
  shell: ShellCapability;
  http: HttpCapability;
  disclosure: DisclosureCapability;
  jobs: JobsCapability;
  delegate: DelegateCapability;
};
