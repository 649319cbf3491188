import { expect, test } from "vitest";
import { McpServerImport, mcpConfigFormats } from "@/contracts/mcp/mcp-imports";
import type { Actor } from "@/server/auth/actor";
import { authorize, buildApiKey, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { listServers } from "../servers/list-servers";
import { exportServers } from "./export-servers";
import { importServers } from "./import-servers";

useTestDatabase();

const importAs = (actor: Actor, values: object) => importServers(authorize(actor, "mcp:write"), McpServerImport.parse(values));
const config = `{
  // three servers
  "mcpServers": {
    "Local Files": { "command": "npx", "args": ["-y", "server", "--token=ghp_0123456789abcdefghijABCDEFGHIJ012345", "line\\nbreak"], "env": { "PORT": 80 } },
    "asks": { "command": "node", "env": { "KEY": "\${input:key}" } },
    "remote": { "url": "https://example.com/mcp?key=s3cr3tvalue99", "headers": { "X-Key": "another-secret" }, "disabled": true, "color": 1 },
  },
}`;
const stored = async (actor: Actor, query?: string) => {
  const { items } = await listServers(authorize(actor, "tools:read"), query === undefined ? {} : { query });
  return items.map(({ alias, enabled }) => [alias, enabled]);
};

test("a dry run shows what is taken of each server and adds nothing, then those that can be are added", async () => {
  const { admin } = await buildWorkspace();
  const shown = await importAs(admin, { config, dryRun: true });
  expect(shown.servers.map(({ name, status, notes }) => [name, status, notes])).toEqual([
    ["Local Files", "ready", []],
    ["asks", "needs_value", ["Type the value of env.KEY: input:key is known to the other program only."]],
    ["remote", "ready", ["It is disabled in the configuration, so it is added disabled.", "Not taken over: color."]],
  ]);
  expect(await stored(admin)).toEqual([]);
  const { servers } = await importAs(admin, { config, servers: ["remote", "asks"], values: { remote: { alias: "far" } } });
  expect(servers.map(({ status, id }) => [status, id !== null])).toEqual([
    ["ready", false],
    ["needs_value", false],
    ["added", true],
  ]);
  await importAs(admin, { config, servers: ["asks"], values: { asks: { "env.KEY": "typed" } } });
  expect(await stored(admin)).toEqual([
    ["asks", true],
    ["far", false],
  ]);
  expect(await stored(admin, "FA")).toEqual([["far", false]]);
  expect(await stored(admin, "%")).toEqual([]);
  const again = await importAs(admin, { config, dryRun: true, values: { remote: { alias: "far" } } });
  expect(again.servers[2]).toMatchObject({ status: "exists", reason: "A server named far exists already." });
  await expect(importAs(admin, { config, values: { asks: { __oops: "x" } } })).rejects.toThrow("is no value of a server");
});

test("tools that a configuration excludes are excluded of the added server", async () => {
  const { admin } = await buildWorkspace();
  const gemini = JSON.stringify({ mcpServers: { files: { httpUrl: "https://example.com/mcp", excludeTools: ["wipe", "format"] } } });
  const { servers } = await importAs(admin, { config: gemini });
  expect(servers.map(({ status, notes }) => [status, notes])).toEqual([["added", []]]);
  const { items } = await listServers(authorize(admin, "tools:read"), {});
  expect(items.map(({ excludedTools, allowedTools }) => ({ excludedTools, allowedTools }))).toEqual([
    { excludedTools: ["wipe", "format"], allowedTools: null },
  ]);
});

test("a key that may start no program imports only servers over HTTP", async () => {
  const { workspace } = await buildWorkspace();
  const key = await buildApiKey(workspace.id, { scopes: ["mcp:write"] });
  const { servers } = await importAs(key, { config });
  expect(servers.map(({ status }) => status)).toEqual(["forbidden", "needs_value", "added"]);
});

test.each(mcpConfigFormats.filter((format) => format !== "registry"))(
  "an export for %s holds no secret, and can be imported again",
  async (format) => {
    const { admin } = await buildWorkspace();
    await importAs(admin, {
      config: config.replace('"disabled": true', '"disabled": false'),
      values: { asks: { "env.KEY": "typed-secret" } },
    });
    const exported = JSON.stringify(await exportServers(authorize(admin, "mcp:write"), format));
    for (const secret of ["ghp_0123456789", "s3cr3tvalue99", "another-secret", "typed-secret"]) expect(exported).not.toContain(secret);
    const other = await buildWorkspace();
    const { servers } = await importAs(other.admin, { config: exported, dryRun: true });
    expect(servers.map(({ settings }) => [settings.alias, settings.transport])).toEqual([
      ["asks", "stdio"],
      ["local-files", "stdio"],
      ["remote", "streamable_http"],
    ]);
    expect(servers[1]?.settings.args.slice(0, 2)).toEqual(["-y", "server"]);
    expect(servers[1]?.settings.args[3]).toBe("line\nbreak");
  },
);
