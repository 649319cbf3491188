import { expect, test } from "vitest";
import { pageOpenedBy, waitingNavigation } from "./waiting-navigation";

const here = "https://handrail.example/approvals?approval=1";
const link = (attributes: Record<string, string>) => ({
  getAttribute: (name: string) => attributes[name] ?? null,
  hasAttribute: (name: string) => name in attributes,
});
const click = (attributes: Record<string, string> | null, change: Partial<MouseEvent> = {}) => {
  const target = { closest: () => attributes && link(attributes) } as unknown as EventTarget;
  return { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, target, ...change };
};

test.each<[string, ReturnType<typeof click>, string | null]>([
  ["another page", click({ href: "/turns?status=running" }), "/turns?status=running"],
  ["another page by its whole address", click({ href: "https://handrail.example/turns" }), "/turns"],
  ["a line of the same page", click({ href: "/approvals?approval=2" }), null],
  ["a place on the same page", click({ href: "#main" }), null],
  ["another site", click({ href: "https://elsewhere.example/turns" }), null],
  ["a new tab", click({ href: "/turns", target: "_blank" }), null],
  ["a download", click({ href: "/api/v1/artifacts/1", download: "" }), null],
  ["a click with a key held", click({ href: "/turns" }, { ctrlKey: true }), null],
  ["the middle button", click({ href: "/turns" }, { button: 1 }), null],
  ["a button", click(null), null],
])("%s waits for the connection, or not", (_title, event, address) => {
  expect(pageOpenedBy(event, here)).toBe(address);
});

test("the page that was chosen last opens once", () => {
  waitingNavigation.wait("/turns");
  waitingNavigation.wait("/audit");
  expect(waitingNavigation.take()).toBe("/audit");
  expect(waitingNavigation.take()).toBeNull();
});
