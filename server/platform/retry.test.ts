import { expect, test } from "vitest";
import { retry } from "./retry";

const atOnce = { firstPauseMs: 0, maxPauseMs: 0 };

/** Returns work that throws these errors one after another, and then succeeds. */
function failing(...errors: Error[]) {
  const attempts: number[] = [];
  const work = async (attempt: number) => {
    attempts.push(attempt);
    const error = errors.shift();
    if (error) throw error;
    return "done";
  };
  return { attempts, work };
}

test("work that fails is repeated until it succeeds", async () => {
  const { attempts, work } = failing(new Error("one"), new Error("two"));
  expect(await retry(work, atOnce)).toBe("done");
  expect(attempts).toEqual([1, 2, 3]);
});

test("the last of the attempts throws its error", async () => {
  const { attempts, work } = failing(new Error("one"), new Error("two"), new Error("three"));
  await expect(retry(work, { ...atOnce, attempts: 2 })).rejects.toThrow("two");
  expect(attempts).toEqual([1, 2]);
});

test("an error that no attempt can recover from is thrown at once", async () => {
  const { attempts, work } = failing(new Error("lasting"));
  await expect(retry(work, { ...atOnce, mayRecover: ({ message }) => message !== "lasting" })).rejects.toThrow("lasting");
  expect(attempts).toEqual([1]);
});

test("a fault of the program is not repeated, and a fault of the network is", async () => {
  await expect(retry(failing(new TypeError("x is not a function")).work, atOnce)).rejects.toThrow("x is not a function");
  expect(await retry(failing(new TypeError("fetch failed")).work, atOnce)).toBe("done");
});
