import { expect, test } from "vitest";
import { McpServerDraft, McpServerReplacement } from "./mcp-servers";

const draft = McpServerDraft.parse({ alias: "files", transport: "stdio", command: "npx" });

test("a server is sent back as it was read: its read-only members are passed over", () => {
  const read = { ...draft, id: "x", status: "connected", toolCount: 3, version: 2, lastError: null, createdAt: "2026-01-01T00:00:00Z" };
  expect(McpServerReplacement.parse(read)).toMatchObject(draft);
});

test("a member that no server has is refused all the same, and so is a server without its command", () => {
  expect(McpServerReplacement.safeParse({ ...draft, colour: 1 }).success).toBe(false);
  expect(McpServerReplacement.safeParse({ ...draft, command: null }).error?.issues[0]?.path).toEqual(["command"]);
});

test("an address with a user name or a password is refused where it is written", () => {
  const remote = { alias: "files", transport: "streamable_http" };
  expect(McpServerDraft.safeParse({ ...remote, url: "https://ann:secret@example.com/mcp" }).error?.issues[0]).toMatchObject({
    path: ["url"],
    message: expect.stringContaining("send them in the header Authorization"),
  });
  expect(McpServerDraft.safeParse({ ...remote, url: "https://example.com/mcp?at=a@b" }).success).toBe(true);
});
