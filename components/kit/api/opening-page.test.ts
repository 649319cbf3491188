import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openingPage } from "./opening-page";

const here = "https://handrail.example/turns?status=running";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  openingPage.end();
  vi.useRealTimers();
});

test("the page that was chosen is opening until it is there, or until another one was chosen", () => {
  openingPage.begin("/tools?tool=read_file", here);
  expect(openingPage.read()).toBe("/tools");
  openingPage.begin("/guard", here);
  expect(openingPage.read()).toBe("/guard");
  openingPage.end();
  expect(openingPage.read()).toBeNull();
});

test("another address of the open page has nothing to wait for", () => {
  openingPage.begin("/turns?status=completed", here);
  expect(openingPage.read()).toBeNull();
});

test("a page that never comes is not waited for without end", () => {
  openingPage.begin("/tools", here);
  vi.advanceTimersByTime(29_999);
  expect(openingPage.read()).toBe("/tools");
  vi.advanceTimersByTime(1);
  expect(openingPage.read()).toBeNull();
});
