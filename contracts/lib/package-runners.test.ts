import { expect, test } from "vitest";
import { McpServerDraft } from "../mcp/mcp-servers";
import { digestFault } from "./package-runners";

const packageDigest = `sha256:${"0".repeat(64)}`;

test.each([
  ["npx", ["-y", "pkg@1"]],
  ["/usr/local/bin/npx", ["-y", "pkg@1", "/etc/hosts"]],
  ["C:\\node\\NPX.cmd", ["pkg"]],
  ["uvx", ["pkg==1"]],
  ["bunx", ["pkg"]],
  ["pnpm", ["--silent", "dlx", "pkg"]],
  ["uv", ["tool", "run", "pkg"]],
  ["docker", ["run", "-i", "image"]],
])("a digest is refused for %s %j, because it would pin the runner", (command, args) => {
  const { error } = McpServerDraft.safeParse({ alias: "files", transport: "stdio", command, args, packageDigest });
  expect(error?.issues).toMatchObject([{ path: ["packageDigest"], message: expect.stringContaining("itself and not of the package") }]);
  expect(McpServerDraft.safeParse({ alias: "files", transport: "stdio", command, args }).success).toBe(true);
});

test.each([
  ["node", ["server.mjs"]],
  ["python3", ["-m", "server"]],
  ["/opt/npx-server", []],
  ["pnpm", ["start"]],
  ["constructor", []],
])("a digest is taken for %s %j", (command, args) => {
  expect(digestFault(command, args)).toBeNull();
});
