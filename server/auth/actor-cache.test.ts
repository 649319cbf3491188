import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signalHere } from "@/server/platform/signals/bus";
import { forgetActors, rememberActor } from "./actor-cache";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  forgetActors();
});
afterEach(() => vi.useRealTimers());

/** Makes a fake database that answers a given value and counts its queries. */
function source(value: string | null) {
  const self = {
    value,
    asked: 0,
    hold: null as Promise<void> | null,
    load: async () => {
      self.asked += 1;
      const { value: answer } = self;
      await self.hold;
      return answer;
    },
    ask: () => rememberActor("key", self.load),
  };
  return self;
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("callers that come at once share a query, and what is not there is asked for again", async () => {
  const row = source("a");
  expect(await Promise.all([row.ask(), row.ask(), row.ask()])).toEqual(["a", "a", "a"]);
  expect(row.asked).toBe(1);
  const nothing = source(null);
  forgetActors();
  expect([await nothing.ask(), await nothing.ask()]).toEqual([null, null]);
  expect(nothing.asked).toBe(2);
});

test("an entry in use is read again in the background, and its callers never wait", async () => {
  const row = source("a");
  await row.ask();
  row.value = "b";
  vi.setSystemTime(Date.now() + 5_000);
  expect([await row.ask(), await row.ask()]).toEqual(["a", "a"]);
  await settled();
  expect(row.asked).toBe(2);
  expect(await row.ask()).toBe("b");
  vi.setSystemTime(Date.now() + 4_999);
  expect(await row.ask()).toBe("b");
  expect(row.asked).toBe(2);
});

test("nothing older than ten seconds is taken, even when reading again takes long or fails", async () => {
  const row = source("a");
  await row.ask();
  row.value = "b";
  row.hold = Promise.reject(new Error("the database is away"));
  vi.setSystemTime(Date.now() + 9_999);
  expect(await row.ask()).toBe("a");
  await settled();
  vi.setSystemTime(Date.now() + 1);
  await expect(row.ask()).rejects.toThrow("the database is away");
  row.hold = null;
  expect(await row.ask()).toBe("b");
});

test("a change of configuration is heard at once, even while the old row is on its way", async () => {
  const row = source("a");
  await row.ask();
  const reading = Promise.withResolvers<void>();
  row.hold = reading.promise;
  vi.setSystemTime(Date.now() + 5_000);
  await row.ask();
  signalHere({ topic: "config", workspaceId: "w" });
  row.hold = null;
  row.value = "revoked";
  reading.resolve();
  await settled();
  expect(await row.ask()).toBe("revoked");
});
