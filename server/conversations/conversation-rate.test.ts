import { expect, test } from "vitest";
import { takeConversation } from "./conversation-rate";

const start = 1_000_000;

test("a caller opens a minute's worth of conversations at once, and then as many as time gives", () => {
  for (let opened = 0; opened < 60; opened++) takeConversation("key-1", 60, start);
  expect(() => takeConversation("key-1", 60, start)).toThrow("opened 60 conversations within a minute");
  expect(() => takeConversation("key-1", 60, start + 999)).toThrow("try again in 1 s");
  takeConversation("key-1", 60, start + 1_000);
  expect(() => takeConversation("key-1", 60, start + 1_000)).toThrow();
});

test("callers have a rate each", () => {
  takeConversation("key-2", 1, start);
  expect(() => takeConversation("key-2", 1, start)).toThrow();
  takeConversation("key-3", 1, start);
});
