import { expect, test } from "vitest";
import { hostCollector } from "./host-collector";

const event = (host: string, outcome: "reached" | "refused" | "failed") => ({ host, port: 443, outcome, reason: null });

test("hosts of a call are kept once each, reached and refused apart, and those that failed are not", () => {
  const { note, hosts } = hostCollector();
  expect(hosts()).toBeNull();
  note(event("down.example", "failed"));
  expect(hosts()).toBeNull();
  for (const host of ["a.example", "a.example", "2001:db8::1"]) note(event(host, "reached"));
  note(event("b.example", "refused"));
  expect(hosts()).toEqual({ reached: ["a.example:443", "[2001:db8::1]:443"], refused: ["b.example:443"] });
});

test("an audit row stays small, however many hosts a program tries", () => {
  const { note, hosts } = hostCollector();
  for (let number = 0; number < 1_000; number += 1) note(event(`${number}.example`, "refused"));
  note(event("a.example", "reached"));
  expect(hosts()?.refused).toHaveLength(20);
  expect(hosts()?.reached).toEqual(["a.example:443"]);
});
