import { expect, test } from "vitest";
import { makeCallSlots } from "./call-slots";

test("when all slots are taken, workspaces take turns", async () => {
  const slots = makeCallSlots(1);
  const order: string[] = [];
  const release = await slots.take("busy");
  const run = (workspaceId: string, name: string) =>
    slots.take(workspaceId).then((giveBack) => {
      order.push(name);
      giveBack();
    });
  const all = [run("busy", "busy 1"), run("busy", "busy 2"), run("busy", "busy 3"), run("quiet", "quiet 1")];
  release();
  await Promise.all(all);
  expect(order).toEqual(["busy 1", "quiet 1", "busy 2", "busy 3"]);
});

test("a slot is given back once, however often that is said", async () => {
  const slots = makeCallSlots(1);
  const first = await slots.take("a");
  first();
  first();
  const second = await slots.take("a");
  let isTaken = false;
  const third = slots.take("a").then((giveBack) => {
    isTaken = true;
    giveBack();
  });
  await Promise.resolve();
  expect(isTaken).toBe(false);
  second();
  await third;
});

test("a call that is cancelled while it waits does not hold up the others", async () => {
  const slots = makeCallSlots(1);
  const release = await slots.take("a");
  const calledOff = new AbortController();
  const waiting = slots.take("a", calledOff.signal);
  calledOff.abort();
  (await waiting)();
  release();
  (await slots.take("b"))();
});

test("a workspace whose calls never end leaves a quarter to the others", async () => {
  const slots = makeCallSlots(4);
  const held = await Promise.all([slots.take("greedy"), slots.take("greedy"), slots.take("greedy")]);
  let isTaken = false;
  const fourth = slots.take("greedy").then((giveBack) => {
    isTaken = true;
    giveBack();
  });
  (await slots.take("quiet"))();
  expect(isTaken).toBe(false);
  held[0]?.();
  await fourth;
});
