import { expect, test } from "vitest";
import { clientConfigs } from "./client-configs";

const codeOf = (url: string, id: string) => clientConfigs({ url, key: "hr_test" }).find((config) => config.id === id)?.code ?? "";

test("every configuration names the endpoint and the key", () => {
  for (const { code } of clientConfigs({ url: "https://handrail.example.com", key: "hr_test" })) {
    expect(code).toContain("https://handrail.example.com/mcp");
    expect(code).toContain("Bearer hr_test");
  }
});

test("the JSON configurations are JSON, and mcp-remote reads the header from its environment", () => {
  const { handrail } = JSON.parse(codeOf("https://handrail.example.com", "claude-desktop")).mcpServers;
  expect(handrail.args).toContain("Authorization:$" + "{AUTH_HEADER}");
  expect(handrail.env).toEqual({ AUTH_HEADER: "Bearer hr_test" });
  expect(handrail.args).not.toContain("--allow-http");
  expect(JSON.parse(codeOf("https://handrail.example.com", "vscode")).servers.handrail.type).toBe("http");
});

test("mcp-remote is allowed to use http of another machine, and needs no leave for this one", () => {
  expect(codeOf("http://10.0.0.5:3000", "claude-desktop")).toContain("--allow-http");
  expect(codeOf("http://localhost:3000", "claude-desktop")).not.toContain("--allow-http");
});
