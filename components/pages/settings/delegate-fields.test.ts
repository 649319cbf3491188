import { expect, test } from "vitest";
import type { Delegate } from "@/contracts/agents/delegate";
import { leadsElsewhere, toDelegateDraft, toDelegateFields } from "./delegate-fields";

const saved: Delegate = {
  connected: true,
  url: "https://a.example.com/v1",
  agentId: null,
  hasSecret: true,
  timeoutSeconds: 900,
  enabled: true,
  version: 3,
  updatedAt: null,
};
const fields = toDelegateFields(saved);

test("a secret that nobody typed is not sent, one that was typed is, and one that goes is sent as nothing", () => {
  expect(toDelegateDraft(fields, saved)).toEqual({ url: saved.url, timeoutSeconds: 900, enabled: true });
  expect(toDelegateDraft({ ...fields, secret: "new" }, saved)).toMatchObject({ secret: "new" });
  expect(toDelegateDraft({ ...fields, removesSecret: true }, saved)).toMatchObject({ secret: null });
});

test("a new secret for another host is sent although the old one was to go", () => {
  const moved = { ...fields, url: "https://b.example.com", secret: "theirs", removesSecret: true };
  expect(toDelegateDraft(moved, saved)).toMatchObject({ secret: "theirs" });
});

test("another host is one with another name, port or scheme; half an address is none yet", () => {
  expect(["https://a.example.com/v2", "https://a.exam ple", ""].map((url) => leadsElsewhere(url, saved))).toEqual([false, false, false]);
  expect(
    ["http://a.example.com/v1", "https://a.example.com:8443", "https://b.example.com"].every((url) => leadsElsewhere(url, saved)),
  ).toBe(true);
});

test("the first connection is in use at once", () => {
  expect(toDelegateFields({ ...saved, url: null, enabled: false, version: 0 }).enabled).toBe(true);
});

test("an agent in place of a pipeline is sent without address and secret", () => {
  expect(toDelegateDraft({ ...fields, agentId: "0190f7a4-0000-7000-8000-000000000001", secret: "typed" }, saved)).toEqual({
    agentId: "0190f7a4-0000-7000-8000-000000000001",
    timeoutSeconds: 900,
    enabled: true,
  });
});
