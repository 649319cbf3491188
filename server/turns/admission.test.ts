import { expect, test } from "vitest";
import { isAppError } from "@/server/platform/errors";
import { admit } from "./admission";

const limit = 4;

test("when all places are taken a turn is refused with when to come again, and a place given back twice is one place", () => {
  const leave = Array.from({ length: limit }, () => admit("a", limit));
  const refused = refusalOf(() => admit("a", limit));
  expect(refused).toMatchObject({ code: "too_many_requests", details: { retryAfterSeconds: 1 } });
  expect(refused?.message).toContain("Nothing was stored");
  leave[0]?.();
  leave[0]?.();
  const again = admit("a", limit);
  expect(refusalOf(() => admit("a", limit))).not.toBeNull();
  again();
  for (const giveBack of leave) giveBack();
});

test("alone a workspace may use every place; while another works it gets half", () => {
  const ofA = [admit("a", limit), admit("a", limit)];
  const ofB = admit("b", limit);
  expect(refusalOf(() => admit("a", limit))?.message).toContain("its share");
  const moreOfB = admit("b", limit);
  moreOfB();
  ofB();
  ofA.push(admit("a", limit), admit("a", limit));
  for (const giveBack of ofA) giveBack();
});

function refusalOf(attempt: () => void) {
  try {
    attempt();
    return null;
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}
