import type { Approval, ApprovalAnswer, InboxRow } from "@/contracts/approvals/approvals";

/** An answer to one approval. */
export type OutgoingDecision = Omit<ApprovalAnswer, "comment"> & {
  id: string;
  comment?: string;
  /** The inbox line of an approval that was decided on its own; the line keeps its place in the list. */
  row?: InboxRow;
};

/** Why a decision was refused. */
export type Refusal = { code: string; detail: string };

/** State of a decision of this browser: `held` can be undone, `refused` changed nothing. */
export type Outcome =
  | { state: "held" | "sending"; decision: OutgoingDecision; batch: string }
  | { state: "taken"; decision: OutgoingDecision; approval: Approval }
  | { state: "refused"; decision: OutgoingDecision; refusal: Refusal };

/** Decisions that were made together. */
export type Batch = {
  id: string;
  decisions: readonly OutgoingDecision[];
  /** Inbox lines of decisions made together; they keep their place in the list until the batch is done. */
  rows: readonly InboxRow[];
  state: "held" | "sending" | "done";
  /** Milliseconds since the epoch when a held batch is sent. */
  sendAt: number;
  answered: number;
  refused: readonly { id: string; refusal: Refusal }[];
};

export type SentResult = { id: string; ok: boolean; approval: Approval | null; code: string | null; detail: string | null };
type Send = (decisions: readonly OutgoingDecision[], options: { keepalive: boolean }) => Promise<readonly SentResult[]>;

export type OutboxState = { batches: readonly Batch[]; outcomes: ReadonlyMap<string, Outcome> };

/** Decisions in one request: few enough that the count of those sent moves on. The API accepts 100. */
const chunkSize = 25;

type OutboxOptions = {
  send: Send;
  /** Returns the sentence for an error that prevented sending or answering a chunk. */
  explain: (error: unknown) => Refusal;
  onTaken: (approvals: readonly Approval[]) => void;
};

/**
 * Creates the queue of this browser's decisions. A held batch can be undone until its time is up; then it is sent in
 * chunks, and each decision ends as taken or as refused with the reason.
 */
export function createOutbox({ send, explain, onTaken }: OutboxOptions) {
  let state: OutboxState = { batches: [], outcomes: new Map() };
  let lastNumber = 0;
  const listeners = new Set<() => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  const change = (next: Partial<OutboxState>) => {
    state = { ...state, ...next };
    for (const tell of listeners) tell();
  };
  const changeBatch = (id: string, part: Partial<Batch>) =>
    change({ batches: state.batches.map((batch) => (batch.id === id ? { ...batch, ...part } : batch)) });
  const withOutcomes = (added: readonly Outcome[]) => new Map([...state.outcomes, ...added.map((one) => [one.decision.id, one] as const)]);
  const stopTimer = (id: string) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };

  const hold = (decisions: readonly OutgoingDecision[], holdMs: number, rows: readonly InboxRow[] = []): string => {
    lastNumber += 1;
    const id = `batch ${lastNumber}`;
    const batch: Batch = { id, decisions, rows, state: "held", sendAt: Date.now() + holdMs, answered: 0, refused: [] };
    change({
      // Drops finished batches, because the new batch takes their place on the screen.
      batches: [...state.batches.filter((other) => other.state !== "done"), batch],
      outcomes: withOutcomes(decisions.map((decision) => ({ state: "held", decision, batch: id }))),
    });
    if (holdMs <= 0) void sendNow(id);
    else
      timers.set(
        id,
        setTimeout(() => void sendNow(id), holdMs),
      );
    return id;
  };

  const undo = (id: string) => {
    const batch = state.batches.find((known) => known.id === id);
    if (batch?.state !== "held") return;
    stopTimer(id);
    const outcomes = new Map(state.outcomes);
    for (const decision of batch.decisions) outcomes.delete(decision.id);
    change({ batches: state.batches.filter((known) => known !== batch), outcomes });
  };

  const sendNow = async (id: string, { keepalive = false } = {}): Promise<void> => {
    const batch = state.batches.find((known) => known.id === id);
    if (batch?.state !== "held") return;
    stopTimer(id);
    change({ outcomes: withOutcomes(batch.decisions.map((decision) => ({ state: "sending", decision, batch: id }))) });
    changeBatch(id, { state: "sending" });
    const chunks = chunksOf(batch.decisions);
    // Sends the chunks in parallel, because a page that is being left cannot wait between chunks.
    if (keepalive) await Promise.all(chunks.map((chunk) => sendChunk(id, chunk, true)));
    else for (const chunk of chunks) await sendChunk(id, chunk, false);
    changeBatch(id, { state: "done" });
  };

  const sendChunk = async (id: string, chunk: readonly OutgoingDecision[], keepalive: boolean) => {
    const results = await send(chunk, { keepalive }).catch((error: unknown) => {
      const { code, detail } = explain(error);
      return chunk.map((decision): SentResult => ({ id: decision.id, ok: false, approval: null, code, detail }));
    });
    const resultOf = new Map(results.map((result) => [result.id, result]));
    const outcomes = chunk.map((decision) => outcomeOf(decision, resultOf.get(decision.id)));
    const refused = outcomes.flatMap((outcome) =>
      outcome.state === "refused" ? [{ id: outcome.decision.id, refusal: outcome.refusal }] : [],
    );
    const before = state.batches.find((known) => known.id === id);
    change({ outcomes: withOutcomes(outcomes) });
    changeBatch(id, { answered: (before?.answered ?? 0) + chunk.length, refused: [...(before?.refused ?? []), ...refused] });
    onTaken(outcomes.flatMap((outcome) => (outcome.state === "taken" ? [outcome.approval] : [])));
  };

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read: () => state,
    /** Accepts decisions and sends them after `holdMs`, or at once when `holdMs` is 0. */
    hold,
    undo,
    sendNow,
    /** Sends all held batches at once, before the page goes away. */
    flush: (options: { keepalive: boolean }) =>
      Promise.all(state.batches.filter((batch) => batch.state === "held").map(({ id }) => sendNow(id, options))),
    /** Removes a finished batch. */
    dismiss: (id: string) => change({ batches: state.batches.filter((batch) => batch.id !== id || batch.state !== "done") }),
    /** Removes the refusal of a decision, because the person tries again. */
    forget: (approvalId: string) => {
      const outcomes = new Map(state.outcomes);
      outcomes.delete(approvalId);
      change({ outcomes });
    },
  };
}

function outcomeOf(decision: OutgoingDecision, result: SentResult | undefined): Outcome {
  if (result?.ok && result.approval) return { state: "taken", decision, approval: result.approval };
  const refusal = {
    code: result?.code ?? "no_answer",
    detail: result?.detail ?? "The server reported no result of this decision. Reload the page.",
  };
  return { state: "refused", decision, refusal };
}

function chunksOf(decisions: readonly OutgoingDecision[]): OutgoingDecision[][] {
  const chunks: OutgoingDecision[][] = [];
  for (let start = 0; start < decisions.length; start += chunkSize) chunks.push(decisions.slice(start, start + chunkSize));
  return chunks;
}
