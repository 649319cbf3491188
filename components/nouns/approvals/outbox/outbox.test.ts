import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Approval } from "@/contracts/approvals/approvals";
import { createOutbox, type OutgoingDecision, type SentResult } from "./outbox";

const approve = (id: string): OutgoingDecision => ({ id, decision: "approve" });
const taken = (id: string): SentResult => ({ id, ok: true, approval: { id } as Approval, code: null, detail: null });

function outboxWith(send: (decisions: readonly OutgoingDecision[]) => Promise<readonly SentResult[]>) {
  const sent: { ids: string[]; keepalive: boolean }[] = [];
  const outbox = createOutbox({
    send: (decisions, { keepalive }) => {
      sent.push({ ids: decisions.map(({ id }) => id), keepalive });
      return send(decisions);
    },
    explain: () => ({ code: "unreachable", detail: "The server cannot be reached." }),
    onTaken: () => undefined,
  });
  return { outbox, sent };
}
const allTaken = async (decisions: readonly OutgoingDecision[]) => decisions.map(({ id }) => taken(id));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the outbox of decisions", () => {
  test("holds a decision, and sends it once when its time is up", async () => {
    const { outbox, sent } = outboxWith(allTaken);
    outbox.hold([approve("a")], 5_000);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(sent).toEqual([]);
    expect(outbox.read().outcomes.get("a")?.state).toBe("held");
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([{ ids: ["a"], keepalive: false }]);
    expect(outbox.read().outcomes.get("a")?.state).toBe("taken");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(1);
  });

  test("an undone decision is never sent, and leaves no trace", async () => {
    const { outbox, sent } = outboxWith(allTaken);
    outbox.undo(outbox.hold([approve("a")], 5_000));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual([]);
    expect(outbox.read()).toEqual({ batches: [], outcomes: new Map() });
  });

  test("what is sent can no longer be undone", async () => {
    const { outbox, sent } = outboxWith(allTaken);
    const batch = outbox.hold([approve("a")], 5_000);
    await outbox.sendNow(batch);
    outbox.undo(batch);
    await outbox.sendNow(batch);
    expect(sent).toHaveLength(1);
    expect(outbox.read().outcomes.get("a")?.state).toBe("taken");
  });

  test("a large batch goes in chunks of 25, so that its progress moves on, and each refusal keeps its reason", async () => {
    const { outbox, sent } = outboxWith(async (decisions) =>
      decisions.map(({ id }) =>
        id === "n150" ? { id, ok: false, approval: null, code: "already_decided", detail: "Ann decided it." } : taken(id),
      ),
    );
    const batch = outbox.hold(
      Array.from({ length: 250 }, (_, place) => approve(`n${place}`)),
      0,
    );
    await vi.runAllTimersAsync();
    expect(sent.map(({ ids }) => ids.length)).toEqual(Array.from({ length: 10 }, () => 25));
    expect(outbox.read().batches.find(({ id }) => id === batch)).toMatchObject({
      state: "done",
      answered: 250,
      refused: [{ id: "n150", refusal: { code: "already_decided", detail: "Ann decided it." } }],
    });
  });

  test("a chunk that never arrives is refused in words, and those after it are still sent", async () => {
    let calls = 0;
    const { outbox } = outboxWith(async (decisions) => {
      calls += 1;
      if (calls === 1) throw new TypeError("Failed to fetch");
      return allTaken(decisions);
    });
    outbox.hold(
      Array.from({ length: 101 }, (_, place) => approve(`n${place}`)),
      0,
    );
    await vi.runAllTimersAsync();
    const { outcomes } = outbox.read();
    expect(outcomes.get("n0")).toMatchObject({ state: "refused", refusal: { detail: "The server cannot be reached." } });
    expect(outcomes.get("n100")?.state).toBe("taken");
  });

  test("a page that goes away sends everything held, and the browser finishes it", async () => {
    const { outbox, sent } = outboxWith(allTaken);
    outbox.hold([approve("a")], 5_000);
    outbox.hold([approve("b")], 5_000);
    await outbox.flush({ keepalive: true });
    expect(sent).toEqual([
      { ids: ["a"], keepalive: true },
      { ids: ["b"], keepalive: true },
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(2);
  });
});
