/** A question that the pipeline asks before it goes on. */
export type Gate = { id: string; question: string; options: readonly string[] };

export type TaskState =
  | { state: "running" }
  | { state: "done"; answer: string }
  | { state: "failed"; message: string }
  | { state: "unclear"; question: string }
  | { state: "cancelled" };

/** A pipeline that takes tasks in words, plans and runs them, and asks people before it commits to anything. */
export type Pipeline = {
  /** Milliseconds that a task may take, people's answers included. */
  timeoutMs: number;
  /** @returns the pipeline's id of the task */
  submit: (intent: string, signal: AbortSignal) => Promise<string>;
  /** The questions that wait for an answer. */
  gatesOf: (taskId: string, signal: AbortSignal) => Promise<Gate[]>;
  answer: (taskId: string, gateId: string, answer: { approved: boolean; answer?: string }, signal: AbortSignal) => Promise<void>;
  stateOf: (taskId: string, signal: AbortSignal) => Promise<TaskState>;
  /** Tells the pipeline that nobody waits any more. */
  cancel: (taskId: string) => Promise<void>;
};

/** The way to the pipeline of this workspace; null while none is connected. */
export type DelegateCapability = { connect: () => Promise<Pipeline | null> };
