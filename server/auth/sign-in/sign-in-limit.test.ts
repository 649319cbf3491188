import { expect, test } from "vitest";
import { beginSignIn } from "./sign-in-limit";

const start = 1_000_000;

test("the sixth attempt after five failures within a minute has to wait for the first to be a minute old", () => {
  for (let index = 0; index < 5; index++) beginSignIn("ann@example.com", null, start + index * 1_000);
  expect(() => beginSignIn("ann@example.com", null, start + 10_000)).toThrow("Try again in 50 seconds");
  expect(() => beginSignIn("ben@example.com", null, start + 10_000)).not.toThrow();
  expect(() => beginSignIn("ann@example.com", null, start + 60_000)).not.toThrow();
});

test("guesses that run at once count before they end", () => {
  const tries = Array.from({ length: 9 }, () => {
    try {
      return beginSignIn("cid@example.com", null, start);
    } catch {
      return null;
    }
  });
  expect(tries.filter(Boolean)).toHaveLength(5);
});

test("a success clears the count of the e-mail address but not of the network address", () => {
  for (let index = 0; index < 19; index++) beginSignIn(`somebody${index}@example.com`, "192.0.2.9", start);
  for (let index = 0; index < 10; index++) beginSignIn("dee@example.com", "192.0.2.9", start).succeeded();
  beginSignIn("last@example.com", "192.0.2.9", start);
  expect(() => beginSignIn("dee@example.com", "192.0.2.9", start)).toThrow("Too many");
  expect(() => beginSignIn("dee@example.com", "192.0.2.10", start)).not.toThrow();
});

test("guesses from elsewhere do not lock out who signs in from where they did before", () => {
  beginSignIn("eve@example.com", "192.0.2.20", start).succeeded();
  for (let index = 0; index < 60; index++) beginSignIn("eve@example.com", `198.51.100.${index}`, start);
  expect(() => beginSignIn("eve@example.com", "198.51.100.99", start), "many guessers together are stopped").toThrow("Too many");
  expect(() => beginSignIn("eve@example.com", "192.0.2.20", start)).not.toThrow();
});

test("five guesses from one place do not lock out another place", () => {
  for (let index = 0; index < 5; index++) beginSignIn("fay@example.com", "192.0.2.30", start);
  expect(() => beginSignIn("fay@example.com", "192.0.2.30", start)).toThrow("Too many");
  expect(() => beginSignIn("fay@example.com", "192.0.2.31", start)).not.toThrow();
});
