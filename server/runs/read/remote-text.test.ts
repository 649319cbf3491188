import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runMessages, runs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { onSignal, type Signal, signalHere } from "@/server/platform/signals/bus";
import { giveModel, saying, start, useRunStage } from "@/server/testing/models/run-stage";
import { activeRuns } from "../active-runs";
import { findPartial, followRemoteText, tellRemoteFollowers } from "./remote-text";
import { runFeed } from "./run-feed";

const stage = useRunStage();

type Part = Extract<Signal, { topic: "run_text" }>;
const partOf = (runId: string, by: string, more: Partial<Part>): Part => ({
  topic: "run_text",
  runId,
  by,
  position: 1,
  attempt: 1,
  place: "text",
  offset: 0,
  text: "",
  ...more,
});

/** Starts a run, and lets another replica have claimed it. */
async function startRunElsewhere() {
  await giveModel(stage, [saying("Done.")]);
  const { id: runId } = await start(stage, "Hello");
  const other = newId();
  await db().update(runs).set({ status: "running", claimedBy: other, finishedAt: null }).where(eq(runs.id, runId));
  return { runId, other };
}

test("text that another replica writes is put together in order, twice received is once shown, and a lost part is asked for again", async () => {
  const runId = newId();
  const other = newId();
  const asked: string[] = [];
  const off = onSignal("run_watch", (signal) => {
    if (signal.runId === runId) asked.push(signal.again ? "again" : "follow");
  });
  const unfollow = followRemoteText(runId);
  const told = (more: Partial<Part>) => signalHere(partOf(runId, other, more));
  told({ text: "Hel" });
  told({ text: "Hello", offset: 0 });
  told({ place: "reasoning", text: "Polite." });
  told({ place: "0", name: "look", text: '{"a"' });
  expect(findPartial(runId)).toMatchObject({
    position: 1,
    text: "Hello",
    reasoning: "Polite.",
    calls: [{ name: "look", arguments: '{"a"' }],
  });
  told({ text: "far ahead", offset: 90 });
  expect(findPartial(runId)?.text).toBe("Hello");
  await expect.poll(() => asked.includes("again")).toBe(true);
  const before = findPartial(runId)?.attempt;
  // The run was taken over by a third replica, which asks the model anew.
  signalHere(partOf(runId, newId(), { text: "Good" }));
  expect(findPartial(runId)).toMatchObject({ text: "Good", calls: [] });
  expect(findPartial(runId)?.attempt).not.toBe(before);
  unfollow();
  off();
  expect(findPartial(runId)).toBeNull();
});

test("a replica that works on a run sends its text only while another one follows, in parts that a notification can hold", async () => {
  const runId = newId();
  const parts: Part[] = [];
  const off = onSignal("run_text", (part) => {
    if (part.runId === runId) parts.push(part);
  });
  const text = "\u0001ß🙂".repeat(600);
  const partial = { position: 3, attempt: 1, text, reasoning: "", calls: [{ id: "1", name: "look", arguments: "" }] };
  activeRuns().set(runId, { runId, startedAt: Date.now(), stop: new AbortController(), partial, unstored: [], left: Promise.resolve() });
  try {
    tellRemoteFollowers(runId, partial);
    signalHere({ topic: "run_watch", runId, by: newId() });
    await expect
      .poll(() =>
        parts
          .filter(({ place }) => place === "text")
          .map((part) => part.text)
          .join(""),
      )
      .toBe(text);
    await expect.poll(() => parts.some(({ place, name }) => place === "0" && name === "look")).toBe(true);
    for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(8_000);
  } finally {
    activeRuns().delete(runId);
    off();
  }
});

test("the stream of a run shows text of another replica, and forgets it when the reply begins again", async () => {
  const { runId, other } = await startRunElsewhere();
  const stop = new AbortController();
  const events: string[] = [];
  for await (const { event, data } of runFeed(runId, 2, stop.signal)) {
    events.push(event === "text.delta" ? `text ${(data as { text: string }).text}` : event);
    if (event === "run.updated") signalHere(partOf(runId, other, { position: 2, text: "Hel" }));
    else if (events.at(-1) === "text Hel") signalHere(partOf(runId, other, { position: 2, offset: 3, text: "lo" }));
    else if (events.at(-1) === "text lo") signalHere(partOf(runId, other, { position: 2, attempt: 2, text: "Good day" }));
    else if (events.at(-1) === "text Good day") stop.abort();
  }
  expect(events).toEqual(["run.updated", "text Hel", "text lo", "step.restarted", "text Good day"]);
  expect(findPartial(runId)).toBeNull();
  await db().delete(runs).where(eq(runs.id, runId));
});

test("the end of a reply is streamed from the stored message when the replica that wrote it could not send it in time", async () => {
  const { runId, other } = await startRunElsewhere();
  const stop = new AbortController();
  const events: string[] = [];
  for await (const { event, data } of runFeed(runId, 2, stop.signal)) {
    events.push(event === "text.delta" ? `text ${(data as { text: string }).text}` : event);
    if (event === "run.updated") signalHere(partOf(runId, other, { position: 2, text: "Hel" }));
    else if (events.at(-1) === "text Hel") {
      await db()
        .insert(runMessages)
        .values({ runId, position: 2, role: "assistant", content: { text: "Hello" } });
      signalHere({ topic: "run", runId });
    } else if (event === "message.added") stop.abort();
  }
  expect(events).toEqual(["run.updated", "text Hel", "text lo", "message.added"]);
  await db().delete(runs).where(eq(runs.id, runId));
});
