import { describe, expect, test } from "vitest";
import { defaultEscalatePatterns } from "@/contracts/surface";
import { type Surfaced, surfaceOf } from "./surface-of";
import { wordParts } from "./word-parts";

const tool = (rawName: string, more: Partial<Surfaced> = {}): Surfaced => ({
  source: "mcp",
  rawName,
  effect: "destroy",
  surfaceOverride: null,
  ...more,
});
const surface = (rawName: string, patterns: readonly string[] | null = null, more: Partial<Surfaced> = {}) =>
  surfaceOf(tool(rawName, more), patterns).surface;

test.each([...defaultEscalatePatterns])("a tool with the word %s in its name is reached through core_execute only", (word) => {
  expect(surface(word)).toBe("escalate");
  expect(surface(`${word}_x`)).toBe("escalate");
  expect(surface(`x-${word}`)).toBe("escalate");
  expect(surface(word.toUpperCase())).toBe("escalate");
});

test.each([
  "send_payment",
  "SendPayment",
  "sendPayment",
  "SENDPayment",
  "SEND_PAYMENT",
  "payment.send",
  "wallet/send",
  "send2fa",
  "ｓｅｎｄ_x",
  "s\u200bend_x",
  "batch-transfer-tokens",
  "check_and_send",
  "getThenTransfer",
])("%s has one of the default words", (name) => {
  expect(surface(name)).toBe("escalate");
});

test.each([
  "resend_status",
  "refund_policy",
  "sender",
  "list_transfers",
  "mintage",
  "approval_history",
  "simulate_transfer",
  "get_swap_rate",
  "dry_run_deploy",
  "compile_fund",
  "lookup_bridge",
  "read_file",
  "",
])("%s does not, or only looks", (name) => {
  expect(surface(name)).toBe("natural");
});

test("a tool that its server calls read-only is natural, whatever its name", () => {
  expect(surface("transfer_overview", null, { effect: "read" })).toBe("natural");
});

describe("a list of an admin", () => {
  test("replaces the default words", () => {
    expect(surface("send_payment", ["wire"])).toBe("natural");
    expect(surface("wire_money", ["wire"])).toBe("escalate");
    expect(surface("send_payment", [])).toBe("natural");
  });
  test("counts for tools that look or call themselves read-only too", () => {
    expect(surface("get_balance", ["balance"])).toBe("escalate");
    expect(surface("echo", ["echo"], { effect: "read" })).toBe("escalate");
  });
  test("may have words that follow each other", () => {
    expect(surface("place_order_now", ["place order"])).toBe("escalate");
    expect(surface("place_my_order", ["place order"])).toBe("natural");
  });
  test("that is the default one again, in any order, is the default one", () => {
    expect(surface("simulate_transfer", defaultEscalatePatterns.toReversed())).toBe("natural");
  });
});

test("what an admin decided about one tool counts before everything", () => {
  expect(surface("send_payment", null, { surfaceOverride: "natural" })).toBe("natural");
  expect(surface("read_file", null, { source: "builtin", surfaceOverride: "escalate" })).toBe("escalate");
});

test("builtin tools are natural: their effect is known, and the guard decides on their arguments", () => {
  expect(surface("contacts_send", null, { source: "builtin" })).toBe("natural");
});

test("the reason names the word", () => {
  expect(surfaceOf(tool("send_payment"), null).reason).toContain('"send"');
});

test("names are cut into words at case, digits and everything that is no letter", () => {
  expect(wordParts("getHTTPResponse2xx-now")).toEqual(["get", "http", "response", "2", "xx", "now"]);
});
