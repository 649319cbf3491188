import { describe, expect, test } from "vitest";
import { defaultEscalatePatterns } from "@/contracts/tools/surface";
import { examples } from "@/server/testing/guard/examples";
import { classifySurface, type SurfacedTool } from "./classify-surface";
import { wordParts } from "./word-parts";

const tool = (rawName: string, more: Partial<SurfacedTool> = {}): SurfacedTool => ({
  source: "mcp",
  rawName,
  effect: "destroy",
  surfaceOverride: null,
  ...more,
});
const connected = { name: "hand_over", isConnected: true };
const unconnected = { ...connected, isConnected: false };
const surface = (rawName: string, escalatePatterns: readonly string[] | null = null, more: Partial<SurfacedTool> = {}) =>
  classifySurface(tool(rawName, more), { escalatePatterns, bridge: connected }).surface;
const withoutPipeline = (rawName: string, more: Partial<SurfacedTool> = {}) =>
  classifySurface(tool(rawName, more), { escalatePatterns: null, bridge: unconnected });

test.each([...defaultEscalatePatterns])("a tool with the word %s in its name is reached through the bridge only", (word) => {
  expect(surface(word)).toBe("escalate");
  expect(surface(`${word}_x`)).toBe("escalate");
  expect(surface(`x-${word}`)).toBe("escalate");
  expect(surface(word.toUpperCase())).toBe("escalate");
});

test.each([
  ...examples`
    send_payment ¦ SendPayment ¦ sendPayment ¦ SENDPayment ¦ SEND_PAYMENT ¦ payment.send ¦ wallet/send ¦ send2fa ¦ ｓｅｎｄ_x
    batch-transfer-tokens ¦ check_and_send ¦ get_or_create_transfer ¦ dry_transfer ¦ getThenTransfer
  `,
  "s\u200bend_x",
])("%s has one of the default words", (name) => expect(surface(name)).toBe("escalate"));

test.each([
  ...examples`
    resend_status ¦ refund_policy ¦ sender ¦ list_transfers ¦ mintage ¦ approval_history ¦ simulate_transfer ¦ get_swap_rate
    dry_run_deploy ¦ dryrun_deploy ¦ compile_fund ¦ lookup_bridge ¦ read_file
  `,
  "",
])("%s does not, or only looks", (name) => expect(surface(name)).toBe("natural"));

const withoutSend = defaultEscalatePatterns.filter((word) => word !== "send");
test.each<[sentence: string, rawName: string, patterns: readonly string[] | null, surface: string, more?: Partial<SurfacedTool>]>([
  ["A tool that its server calls read-only is natural, whatever its name", "transfer_overview", null, "natural", { effect: "read" }],
  ["A list of an admin replaces the default words", "send_payment", ["wire"], "natural"],
  ["A list of an admin has its own words", "wire_money", ["wire"], "escalate"],
  ["A list of an admin may be empty", "send_payment", [], "natural"],
  ["A list of an admin counts for tools that look", "get_balance", ["balance"], "escalate"],
  ["A list of an admin counts for tools that call themselves read-only", "echo", ["echo"], "escalate", { effect: "read" }],
  ["A list may have words that follow each other", "place_order_now", ["place order"], "escalate"],
  ["A list may have words that follow each other, and not apart", "place_my_order", ["place order"], "natural"],
  ["The default list in another order is the default one", "simulate_transfer", defaultEscalatePatterns.toReversed(), "natural"],
  ["The default list with one word more is the admin's own", "simulate_transfer", [...defaultEscalatePatterns, "wire"], "escalate"],
  ["The default list with another word is the admin's own", "simulate_transfer", [...withoutSend, "wire"], "escalate"],
  ["An entry that has no word says nothing", "echo", ["--"], "natural"],
  ["An entry that has no word says nothing of a name without words", "__", ["--"], "natural"],
  ["An admin's word about one tool counts before its name", "send_payment", null, "natural", { surfaceOverride: "natural" }],
  ["An admin's word hides a builtin tool", "read_file", null, "escalate", { source: "builtin", surfaceOverride: "escalate" }],
  ["Builtin tools are natural, because the guard decides on their arguments", "contacts_send", null, "natural", { source: "builtin" }],
  ["Tools of the model's provider are natural, because they are known", "send_payment", null, "natural", { source: "provider" }],
])("the surface of a tool: %s", (_sentence, rawName, patterns, expected, more) => expect(surface(rawName, patterns, more)).toBe(expected));

describe("where the bridge is not connected", () => {
  test.each([
    ["send_message", "send"],
    ["deploy-compose", "deploy"],
    ["approve_task_completion", "approve"],
    ["invokeFunction", "invoke"],
  ])("%s stays natural, and the word %s in its name asks", (name, word) => {
    expect(withoutPipeline(name)).toMatchObject({
      surface: "natural",
      sensitiveVerb: word,
      reason: expect.stringContaining("need approval"),
    });
  });

  test.each<[string, Partial<SurfacedTool>]>([
    ["get_stock_fundamental", {}],
    ["get_transfer", {}],
    ["resend_status", {}],
    ["transfer_overview", { effect: "read" }],
    ["contacts_send", { source: "builtin" }],
    ["send_message", { surfaceOverride: "natural" }],
  ])("%s does not ask", (name, more) => expect(withoutPipeline(name, more)).toMatchObject({ surface: "natural", sensitiveVerb: null }));

  test("the reason names the bridge, or says that there is none", () => {
    expect(withoutPipeline("send_message").reason).toContain("and hand_over has no pipeline: its calls need approval");
    const without = classifySurface(tool("send_message"), { escalatePatterns: null, bridge: null });
    expect(without).toMatchObject({
      surface: "natural",
      sensitiveVerb: "send",
      reason: expect.stringContaining("no tool could carry it out"),
    });
  });

  test("an admin's own word and an admin's word about one tool hide it all the same", () => {
    const settings = { escalatePatterns: ["wire"], bridge: unconnected };
    expect(classifySurface(tool("wire_money"), settings).surface).toBe("escalate");
    expect(withoutPipeline("echo", { surfaceOverride: "escalate" }).surface).toBe("escalate");
  });
});

describe("the reason", () => {
  const reason = (rawName: string, more: Partial<SurfacedTool> = {}) =>
    classifySurface(tool(rawName, more), { escalatePatterns: null, bridge: connected }).reason;

  test.each([
    ["names the word", reason("send_payment"), 'the word "send"'],
    ["says when no word was found", reason("echo"), "No word of its name"],
    ["says when a found word does not count because the tool reads", reason("transfer_list", { effect: "read" }), 'word "transfer", but'],
    ["says when a found word does not count because the tool looks", reason("get_transfer"), "begins with a verb of looking"],
    ["says when an admin decided", reason("send_payment", { surfaceOverride: "natural" }), "Set by an admin"],
    ["says when a tool is known", reason("contacts_send", { source: "builtin" }), "ships with Handrail"],
  ])("%s", (_title, found, expected) => expect(found).toContain(expected));
});

test("names are cut into words at case, digits and everything that is no letter", () => {
  expect(wordParts("getHTTPResponse2xx-now")).toEqual(["get", "http", "response", "2", "xx", "now"]);
  expect(wordParts("__send--payment__")).toEqual(["send", "payment"]);
});
