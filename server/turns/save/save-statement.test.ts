import { expect, test } from "vitest";
import { systemActor } from "@/server/auth/actor";
import { newId } from "@/server/platform/ids";
import type { TurnRow } from "../read/present-turn";
import { type Change, saveStatement } from "./save-statement";

const conversationId = newId();
const now = new Date();

function change(idempotencyKey: string | null, version: number | null): Change {
  const turn: TurnRow = {
    id: newId(),
    workspaceId: newId(),
    conversationId,
    status: "running",
    idempotencyKey,
    requestDigest: "",
    requestedBy: systemActor,
    claimedBy: null,
    cancelRequestedAt: null,
    version: version ?? 0,
    answeredAt: null,
    callbackUrl: null,
    machine: null,
    eventCount: 0,
    finishedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const before = version === null ? null : { version, status: turn.status, claimedBy: null, cancelRequestedAt: null };
  return { turn, before, calls: [], journal: [], audit: [], backlog: [], artifacts: [] };
}

const rowsOf = (changes: Change[], parameter: number) =>
  JSON.parse(saveStatement(changes).parameters[parameter] ?? "") as { id: string; idempotency_key: string }[];

test("two replicas that store turns under the same keys take the keys in the same order, so that neither waits for the other", () => {
  const keys = (changes: Change[]) => rowsOf(changes, 0).map(({ idempotency_key }) => idempotency_key);
  expect(keys([change("a", null), change("b", null), change("c", null)])).toEqual(["a", "b", "c"]);
  expect(keys([change("c", null), change("a", null), change("b", null)])).toEqual(["a", "b", "c"]);
});

test("many stored turns are locked by their ids before they are changed; one turn needs no lock of its own", () => {
  const [first, second] = [change(null, 3), change(null, 3)];
  expect(rowsOf([second, first], 0)).toEqual([{ id: first.turn.id }, { id: second.turn.id }]);
  expect(saveStatement([second, first]).text).toContain("order by turns.id for update of turns");
  expect(saveStatement([first]).text).not.toContain("locked");
});
