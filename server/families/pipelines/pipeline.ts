/** A question of the pipeline before it continues. */
export type Gate = { id: string; question: string; options: readonly string[] };

export type TaskState =
  | { state: "running" }
  | { state: "done"; answer: string }
  | { state: "failed"; message: string }
  | { state: "unclear"; question: string }
  | { state: "cancelled" };

/** A pipeline that accepts tasks in words, plans and runs them, and asks people before it commits to anything. */
export type Pipeline = {
  /** Milliseconds that a task may take, including people's answers. */
  timeoutMs: number;
  /** @returns the pipeline's id of the task */
  submit: (intent: string, signal: AbortSignal) => Promise<string>;
  /** Returns the gates without an answer. */
  gatesOf: (taskId: string, signal: AbortSignal) => Promise<Gate[]>;
  answer: (taskId: string, gateId: string, answer: { approved: boolean; answer?: string }, signal: AbortSignal) => Promise<void>;
  stateOf: (taskId: string, signal: AbortSignal) => Promise<TaskState>;
  /** Tells the pipeline that the caller no longer waits. */
  cancel: (taskId: string) => Promise<void>;
};

/** The connection to this workspace's pipeline; `connect` returns null while none is connected. */
export type DelegateCapability = { connect: () => Promise<Pipeline | null> };
