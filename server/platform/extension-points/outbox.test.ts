import { expect, test } from "vitest";
import type { Db } from "@/db/client";
import { forgetProcess } from "../process-wide";
import { isEventWanted, type PublishedEvent, publishEvents, subscribe } from "./outbox";

const event: PublishedEvent = { workspaceId: "w", event: "turn.finished", payload: {} };

test("events reach every subscriber in the publisher's transaction, and are wanted when one wants them", async () => {
  forgetProcess();
  const tx = {} as Db;
  const queued: [string, Db, readonly PublishedEvent[]][] = [];
  expect(await isEventWanted("w", "turn.finished")).toBe(false);
  await publishEvents(tx, [event]);
  for (const name of ["first", "second"]) {
    subscribe(name, {
      queue: async (given, events) => void queued.push([name, given, events]),
      isWanted: async (_workspaceId, wanted) => name === "second" && wanted === "turn.finished",
    });
  }
  await publishEvents(tx, []);
  await publishEvents(tx, [event]);
  expect(queued).toEqual([
    ["first", tx, [event]],
    ["second", tx, [event]],
  ]);
  expect(await isEventWanted("w", "turn.finished")).toBe(true);
  expect(await isEventWanted("w", "turn.suspended")).toBe(false);
});
