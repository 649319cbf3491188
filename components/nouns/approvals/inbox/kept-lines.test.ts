import { describe, expect, test } from "vitest";
import type { Approval, InboxGroup, InboxRow } from "@/contracts/approvals/approvals";
import type { Batch, OutboxState } from "../outbox/outbox";
import { findKeptRows, holdGroups } from "./kept-lines";

const row = (id: string, shape = "npm install …") => ({ id, kind: "call", shape, tool: { name: "shell_execute" }, rule: null }) as InboxRow;
const rowsOf = (...rows: InboxRow[]) => new Map(rows.map((one) => [one.id, one]));
const group = (shape: string, count: number): InboxGroup => ({
  ruleId: null,
  ruleName: null,
  tool: "shell_execute",
  kind: "call",
  shape,
  count,
  worstRisk: "low",
  nextExpiry: "2026-03-01T11:00:00.000Z",
});
const countsOf = (groups: readonly InboxGroup[]) => groups.map(({ shape, count }) => `${shape} ${count}`);

describe("rows decided here", () => {
  const batch = (state: Batch["state"], rows: InboxRow[]): Batch => ({
    id: "batch 1",
    decisions: rows.map(({ id }) => ({ id, decision: "approve" })),
    rows,
    state,
    sendAt: 0,
    answered: 0,
    refused: [],
  });
  const outbox = (part: Partial<OutboxState>): OutboxState => ({ batches: [], outcomes: new Map(), ...part });

  test("one decided on its own keeps its place until it is hidden, one that was refused is the server's again", () => {
    const decision = (id: string) => ({ id, decision: "approve" as const, row: row(id) });
    const outcomes: OutboxState["outcomes"] = new Map([
      ["a", { state: "taken", decision: decision("a"), approval: { id: "a" } as Approval }],
      ["b", { state: "held", decision: decision("b"), batch: "batch 1" }],
      ["c", { state: "refused", decision: decision("c"), refusal: { code: "conflict", detail: "" } }],
    ]);
    expect([...findKeptRows(outbox({ outcomes }), new Set()).keys()]).toEqual(["a", "b"]);
    expect([...findKeptRows(outbox({ outcomes }), new Set(["a"])).keys()]).toEqual(["b"]);
  });

  test.each([
    ["held", ["a", "b"]],
    ["sending", ["a", "b"]],
    ["done", []],
  ] as const)("several decided together keep their places while their batch is %s: %j", (state, ids) => {
    expect([...findKeptRows(outbox({ batches: [batch(state, [row("a"), row("b")])] }), new Set()).keys()]).toEqual(ids);
  });
});

describe("groups of the inbox", () => {
  const shown = [group("npm install …", 42), group("rm …", 20), group("git push …", 3)];
  const halfway = [group("rm …", 20), group("npm install …", 17), group("git push …", 3)];

  test("keep their place and their count while decisions are being sent", () => {
    expect(holdGroups(shown, halfway, new Map(), true)).toBe(shown);
    const without = halfway.filter(({ shape }) => shape !== "npm install …");
    expect(holdGroups(shown, without, new Map(), true), "also one that is decided whole").toBe(shown);
  });

  test("keep their place and get their new count when the answer is there", () => {
    expect(countsOf(holdGroups(shown, halfway, new Map(), false))).toEqual(["npm install … 17", "rm … 20", "git push … 3"]);
  });

  test("come behind those that are shown when they are new", () => {
    const grown = [group("curl …", 99), ...halfway];
    expect(countsOf(holdGroups(shown, grown, new Map(), true))).toEqual(["npm install … 42", "rm … 20", "git push … 3", "curl … 99"]);
  });

  test("leave when none of their calls is pending, unless a row decided here still stands in them", () => {
    const without = halfway.filter(({ shape }) => shape !== "npm install …");
    expect(countsOf(holdGroups(shown, without, new Map(), false))).toEqual(["rm … 20", "git push … 3"]);
    const kept = holdGroups(shown, without, rowsOf(row("a")), false);
    expect(countsOf(kept)).toEqual(["npm install … 0", "rm … 20", "git push … 3"]);
    expect(holdGroups(kept, without, rowsOf(row("a")), false), "the same list, so that nothing is drawn anew").toBe(kept);
  });
});
