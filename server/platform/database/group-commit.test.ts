import { expect, test } from "vitest";
import { groupCommit } from "./group-commit";

/** Returns a commit function that records its groups and, when held, waits for `release`. */
function committer({ isHeld = false, fails = (_units: readonly number[]): Error | null => null } = {}) {
  const groups: number[][] = [];
  const held: (() => void)[] = [];
  let mayPass = 0;
  const commit = async (units: readonly number[]) => {
    groups.push([...units]);
    if (isHeld && mayPass === 0) await new Promise<void>((resolve) => held.push(resolve));
    else mayPass -= 1;
    const error = fails(units);
    if (error) throw error;
    return units.map((unit) => unit * 10);
  };
  const release = () => {
    const go = held.shift();
    if (go) go();
    else mayPass += 1;
  };
  return { commit, groups, release };
}

/** Waits for the next round of the event loop, in which waiting units are committed. */
const nextRound = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

const refusal = () => Object.assign(new Error("refused"), { code: "23505" });
const limits = { atMost: 3, beside: 1 };

test("a lone unit is committed at once, and units of one moment together, their results in order", async () => {
  const { commit, groups } = committer();
  const save = groupCommit(commit, limits);
  expect(await save(1)).toBe(10);
  expect(await Promise.all([save(2), save(3), save(4)])).toEqual([20, 30, 40]);
  expect(groups).toEqual([[1], [2, 3, 4]]);
});

test("a writer that comes during a commit joins the next one", async () => {
  const { commit, groups, release } = committer({ isHeld: true });
  const save = groupCommit(commit, limits);
  const first = save(1);
  await nextRound();
  const rest = [save(2), save(3)];
  await nextRound();
  expect(groups).toEqual([[1]]);
  release();
  expect(await first).toBe(10);
  release();
  expect(await Promise.all(rest)).toEqual([20, 30]);
  expect(groups).toEqual([[1], [2, 3]]);
});

test("more than a group holds is committed in several, as many at once as may be", async () => {
  const { commit, groups, release } = committer({ isHeld: true });
  const save = groupCommit(commit, { atMost: 2, beside: 2 });
  const all = [1, 2, 3, 4, 5].map(save);
  await nextRound();
  expect(groups).toEqual([
    [1, 2],
    [3, 4],
  ]);
  release();
  release();
  await Promise.all(all.slice(0, 4));
  release();
  expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50]);
});

test("a unit that Postgres refuses fails alone", async () => {
  const { commit, groups } = committer({ fails: (units) => (units.includes(2) ? refusal() : null) });
  const save = groupCommit(commit, limits);
  const results = await Promise.allSettled([save(1), save(2), save(3)]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(groups).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test("when the database is away everybody hears it, nothing is tried again, and who comes later is served", async () => {
  let isAway = true;
  const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
  const { commit, groups } = committer({ fails: () => (isAway ? away : null) });
  const save = groupCommit(commit, limits);
  const results = await Promise.allSettled([save(1), save(2)]);
  expect(results).toEqual([
    { status: "rejected", reason: away },
    { status: "rejected", reason: away },
  ]);
  expect(groups).toEqual([[1, 2]]);
  isAway = false;
  expect(await save(3)).toBe(30);
});

test("a group that is too much for one statement is committed one by one", async () => {
  const tooMuch = Object.assign(new Error("total size of jsonb array elements exceeds the maximum"), { code: "54000" });
  const { commit, groups } = committer({ fails: (units) => (units.length > 1 ? tooMuch : null) });
  const save = groupCommit(commit, limits);
  expect(await Promise.all([save(1), save(2)])).toEqual([10, 20]);
  expect(groups).toEqual([[1, 2], [1], [2]]);
});
