import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createKeyBurst, pauseMs } from "./key-burst";

/** Presses keys as the inbox does, `gapMs` apart, and returns what they did. */
function press(keys: string, gapMs: number): string[] {
  const burst = createKeyBurst();
  const done: string[] = [];
  for (const [place, key] of [...keys].entries()) {
    burst.note(key, place * gapMs);
    if (/[acr]/.test(key)) burst.decide(() => void done.push(key));
    else if (/[jkx]/.test(key)) burst.step(() => void done.push(key));
    vi.advanceTimersByTime(gapMs);
  }
  vi.advanceTimersByTime(pauseMs);
  return done;
}

describe("a key that decides", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("acts after a pause, also right after a step", () => {
    expect(press("a", 0)).toEqual(["a"]);
    expect(press("ja", 110)).toEqual(["j", "a"]);
    expect(press("aaa", pauseMs)).toEqual(["a", "a", "a"]);
  });

  test("is followed by the steps that were pressed within its pause", () => {
    expect(press("aj", 110)).toEqual(["a", "j"]);
    expect(press("ajja", pauseMs)).toEqual(["a", "j", "j", "a"]);
  });

  test.each(["a mistake", "stop this, a mistoo", "use the staging cluster.", "jail", "aa", "ja ja", "call", "archive", "(a)"])(
    "never decides as a letter of the text %j",
    (text) => {
      for (const gapMs of [0, 30, 110, pauseMs - 1]) expect(press(text, gapMs).filter((key) => /[acr]/.test(key))).toEqual([]);
    },
  );

  test("is a letter of the text that went on before it, in a field that has gone", () => {
    const burst = createKeyBurst();
    const run = vi.fn();
    for (const [place, key] of [..."Stop"].entries()) burst.note(key, place * 100);
    burst.note("a", 400);
    burst.decide(run);
    vi.advanceTimersByTime(pauseMs);
    expect(run).not.toHaveBeenCalled();
  });

  test("opens no form as a letter within a text", () => {
    const burst = createKeyBurst();
    const run = vi.fn();
    for (const [place, key] of [..."be"].entries()) burst.note(key, place * 100);
    burst.open(run);
    expect(run).not.toHaveBeenCalled();
    burst.note("e", 1_000);
    burst.open(run);
    expect(run).toHaveBeenCalledOnce();
  });

  test("acts after a key that ends a text", () => {
    const burst = createKeyBurst();
    const run = vi.fn();
    for (const [place, key] of ["s", "t", "Escape", "j", "a"].entries()) burst.note(key, place * 50);
    burst.decide(run);
    vi.advanceTimersByTime(pauseMs);
    expect(run).toHaveBeenCalledOnce();
  });
});
