import { expect, test } from "vitest";
import { hideArguments, hideUrl, maskArguments, maskUrl, secretsIn } from "./mask-settings";

test("values that look like secrets are masked for people who may change them, and the rest stays readable", () => {
  const args = [
    "-y",
    "@larksuiteoapi/lark-mcp@0.5.1",
    "-a",
    "cli_a1b2",
    "-s",
    "8eCRXmzWAtnTFhYq2LsPzDk0",
    "--api-key=hunter2hunter2",
    "--password",
    "short",
    "/data/handrail-e2e-mcp-x7Yk2p/a.txt",
    "--token=$env:MCP_TOKEN",
    "$env:MCP_TOKEN",
  ];
  expect(maskArguments(args)).toEqual([
    "-y",
    "@larksuiteoapi/lark-mcp@0.5.1",
    "-a",
    "cli_a1b2",
    "-s",
    "8e***k0",
    "--api-key=hu***r2",
    "--password",
    "***",
    "/data/handrail-e2e-mcp-x7Yk2p/a.txt",
    "--token=$env:MCP_TOKEN",
    "$env:MCP_TOKEN",
  ]);
});

test("everybody else sees the names of options and references only", () => {
  expect(hideArguments(["-s", "anything", "--key=anything at all", "--key=$env:MCP_KEY", "-- odd"])).toEqual([
    "-s",
    "***",
    "--key=an***",
    "--key=$env:MCP_KEY",
    "***",
  ]);
  expect(hideUrl("https://user:pass@example.com/s/abc?x=1")).toBe("https://example.com/***");
  expect(hideUrl("https://example.com/")).toBe("https://example.com");
});

test("keys in the path and in the query of an address are masked", () => {
  expect(maskUrl("https://example.com/mcp/?tavilyApiKey=tvly-abc123&region=eu")).toBe(
    "https://example.com/mcp/?tavilyApiKey=***&region=eu",
  );
  expect(maskUrl("https://mcp.example.com/s/8eCRXmzWAtnTFhYq2LsPzDk0/mcp")).toBe("https://mcp.example.com/s/8e***k0/mcp");
  expect(maskUrl("https://example.com/?key=$env:MCP_KEY")).toBe("https://example.com/?key=$env:MCP_KEY");
});

test("the pieces that a mask leaves out are what error texts must not hold", () => {
  const url = "https://example.com/?token=hunter2hunter2";
  expect(secretsIn(url, maskUrl(url))).toContain("hunter2hunter2");
  expect(secretsIn("-y", "-y")).toEqual([]);
});
