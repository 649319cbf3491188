import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { decide } from "@/server/guard/decide";
import { buildRequest, policyOfRules } from "@/server/testing/guard/guarded-calls";
import { runTool } from "@/server/testing/run-tool";
import { browserUse } from "./browser-use";

/** Decides an action as the pipeline does: after its arguments were parsed. */
function decided(args: JsonObject, policy = policyOfRules([], { allowedHosts: ["shop.example"] })) {
  const parsed = browserUse.parse(args);
  if (!parsed.ok) throw new Error(parsed.message);
  const { verdict, reason } = decide(policy, buildRequest({ ...browserUse, surface: "natural" }, parsed.value));
  return `${verdict}: ${reason}`;
}

test("an action tells its step, without typed texts and queries of addresses", async () => {
  const lines: string[] = [];
  const browser = { perform: async () => "done" };
  const perform = (args: JsonObject) => runTool(browserUse, args, { browser, files: {}, progress: (line: string) => lines.push(line) });
  await perform({ action: "open", url: "https://shop.example/cart?token=s3cret" });
  await perform({ action: "type", ref: "@e5", text: "my password" });
  await perform({ action: "wait_for", text: "Thank you" });
  await perform({ action: "scroll", direction: "end" });
  expect(lines).toEqual(["Opening shop.example", "Typing into @e5", "Waiting for a text to be visible", "Scrolling the page"]);
});

const refusal = (args: JsonObject): string => {
  const parsed = browserUse.parse(args);
  return parsed.ok ? "accepted" : parsed.message;
};

describe("The guard", () => {
  test.each(["start", "snapshot", "screenshot", "extract", "current_surface", "scroll", "navigate_back", "stop"])(
    "lets %s pass",
    (action) => {
      expect(decided({ action })).toMatch(/^allow/);
    },
  );

  test("lets a page of the internet be opened, and refuses the metadata service", () => {
    expect(decided({ action: "open", url: "https://news.example/a" })).toMatch(/^allow/);
    expect(decided({ action: "open", url: "http://169.254.169.254/latest/meta-data" })).toMatch(/^deny/);
    expect(decided({ action: "open", url: "http://10.0.0.1/" })).toMatch(/^require_approval/);
    expect(decided({ action: "type", ref: "@e1", text: "my router is http://192.168.1.1", pageUrl: "https://shop.example/" })).toMatch(
      /^allow/,
    );
  });

  test("asks before an action changes something, unless an admin allowed the page's host", () => {
    const click = { action: "click", ref: "@e5" };
    expect(decided({ ...click, pageUrl: "https://shop.example/cart" })).toMatch(/^allow.*only hosts that an admin allowed/);
    expect(decided({ ...click, pageUrl: "https://bank.example/pay" })).toMatch(/^require_approval.*bank\.example/);
    expect(decided(click)).toMatch(/^require_approval.*a host that is known only when it runs/);
    expect(decided({ action: "eval", code: "1 + 1" })).toMatch(/^require_approval/);
  });

  test("decides an upload as a read of its file and as a request to the page's host", () => {
    const upload = { action: "upload", ref: "@e5", path: "report.csv" };
    const pageUrl = "https://shop.example/form";
    expect(decided({ ...upload, pageUrl })).toMatch(/^allow/);
    expect(decided({ ...upload, pageUrl: "https://bank.example/" })).toMatch(/^require_approval.*bank\.example/);
    expect(decided({ ...upload, path: ".env", pageUrl })).toMatch(/^require_approval.*\.env/);
    expect(decided({ ...upload, path: ["report.csv", ".env"], pageUrl })).toMatch(/^require_approval.*\.env/);
    const rule = { tool: "browser_use", parameter: "path", pattern: "^report", verdict: "deny" as const, reason: "Stays here." };
    const policy = policyOfRules([rule], { allowedHosts: ["shop.example"] });
    expect(decided({ ...upload, pageUrl }, policy)).toMatch(/^deny.*Stays here/);
    const each = policyOfRules([{ ...rule, parameter: "/path/*" }], { allowedHosts: ["shop.example"] });
    expect(decided({ ...upload, path: ["a.csv", "report.csv"], pageUrl }, each)).toMatch(/^deny.*Stays here/);
  });

  test("asks about SQL that a page may run, also where its host is allowed", () => {
    const typed = { action: "type", ref: "@e5", text: "DROP TABLE users;", pageUrl: "https://shop.example/admin" };
    expect(decided(typed)).toMatch(/^require_approval/);
  });

  test("decides by a rule on the host of the page", () => {
    const rule = {
      tool: "browser_use",
      parameter: "pageUrl",
      pattern: "^https://bank\\.example/",
      verdict: "deny" as const,
      reason: "No banking.",
    };
    expect(decided({ action: "type", ref: "@e1", text: "x", pageUrl: "https://bank.example/" }, policyOfRules([rule]))).toMatch(
      /^deny.*No banking/,
    );
  });
});

describe("An action that cannot be done is refused before anybody is asked", () => {
  test.each<[JsonObject, string]>([
    [{ action: "cdp" }, "Unknown action: cdp. Supported: start, stop, open"],
    [{ action: "open" }, "open needs `url`"],
    [{ action: "open", url: "file:///etc/passwd" }, "file:// is not fetched"],
    [{ action: "click" }, "click needs `ref` from a snapshot (@e5), or `selector`"],
    [{ action: "click", ref: "5" }, "it must be a reference from the last snapshot"],
    [{ action: "type", ref: "@e1" }, "type needs `text`"],
    [{ action: "select", ref: "@e1" }, "select needs `value`"],
    [{ action: "upload", ref: "@e1" }, "upload needs `path`"],
    [{ action: "upload", path: "a.txt" }, "upload needs `ref`"],
    [{ action: "wait_for" }, "wait_for needs `text`"],
    [{ action: "click", ref: "e1", pageUrl: "shop.example" }, "is not a URL"],
  ])("%j", (args, sentence) => {
    expect(refusal(args)).toContain(sentence);
  });

  test("names of other browsers' actions are understood", () => {
    expect(refusal({ action: "Navigate", url: "https://a.example/" })).toBe("accepted");
    expect(refusal({ action: "close" })).toBe("accepted");
    expect(refusal({ action: "file_upload", ref: "e1", paths: ["a.txt", "b.txt"] })).toBe("accepted");
  });
});
