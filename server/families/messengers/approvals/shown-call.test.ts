import { expect, test } from "vitest";
import { showCall } from "./shown-call";

test("the primary argument stands first, and every other argument has its name", () => {
  const shown = showCall({ message_text: "Pay 4000\nto account 12", contact_id: "Mei", chat_id: "", urgent: false }, "contact_id", 600);
  expect(shown).toEqual({ text: "Mei\nmessage_text: Pay 4000\nto account 12\nurgent: false", isWhole: true });
});

test("a long argument hides no other one, and its length is told", () => {
  const shown = showCall({ path: "plan.txt", content: "x".repeat(9_000), mode: "append" }, "path", 300);
  expect(shown.isWhole).toBe(false);
  expect(shown.text.length).toBeLessThanOrEqual(300);
  expect(shown.text).toMatch(/^plan\.txt\ncontent: x+… \[9,009 characters\]\nmode: append$/);
});

test("very many arguments stay within the room", () => {
  const many = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`name${index}`, "value ".repeat(30)]));
  const shown = showCall(many, null, 500);
  expect(shown.isWhole).toBe(false);
  expect(shown.text).toHaveLength(500);
});

test("hidden characters of an argument are written out", () => {
  expect(showCall({ command: "ls \u202e/tmp" }, "command", 100).text).toBe("ls \\u{202e}/tmp");
});
