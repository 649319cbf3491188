import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createMCPClient } from "@ai-sdk/mcp";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { MCPServerStreamableHttp } from "@openai/agents";
import { approvePending } from "../approve-pending";
import { expect, test } from "../fixtures";
import { newHook, newMcpKey, pendingId, textOf } from "../mcp-texts";
import { runProgram } from "../run-program";

const content = "date\n";

test("the AI SDK lists the tools, calls one, and gets the result of a call that a person approved", async ({ api, productUrl }) => {
  const headers = { authorization: `Bearer ${await newMcpKey(api)}` };
  const client = await createMCPClient({ transport: { type: "http", url: `${productUrl}/mcp`, headers } });
  const tools = await client.tools();
  expect(Object.keys(tools)).toEqual(expect.arrayContaining(["date_time", "write_file", "enable_tool", "get_result"]));
  const call = async (name: string, args: object) =>
    textOf((await tools[name]?.execute(args, { toolCallId: "1", messages: [], context: undefined as never })) as object);
  expect(await call("date_time", { timezone: "Europe/Paris" })).toMatch(/\d{4}-\d{2}-\d{2}T/);
  const hook = newHook();
  const id = pendingId(await call("write_file", { path: hook, content }));
  await approvePending(api.approver, ({ arguments: args }) => args.path === hook);
  expect(await call("get_result", { id })).toContain(hook);
  await client.close();
});

test("LangChain's adapters list the tools, call one, and get the result of a call that a person approved", async ({ api, productUrl }) => {
  const headers = { authorization: `Bearer ${await newMcpKey(api)}` };
  const client = new MultiServerMCPClient({ mcpServers: { handrail: { transport: "http", url: `${productUrl}/mcp`, headers } } });
  const tools = await client.getTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["date_time", "write_file", "enable_tool", "get_result"]));
  const call = async (name: string, args: object) => {
    const answer: unknown = await tools.find((tool) => tool.name === name)?.invoke(args);
    return typeof answer === "string" ? answer : JSON.stringify(answer).replaceAll('\\"', '"');
  };
  expect(await call("date_time", { timezone: "Europe/Paris" })).toMatch(/\d{4}-\d{2}-\d{2}T/);
  const hook = newHook();
  const id = pendingId(await call("write_file", { path: hook, content }));
  await approvePending(api.approver, ({ arguments: args }) => args.path === hook);
  expect(await call("get_result", { id })).toContain(hook);
  await client.close();
});

test("OpenAI's Agents list the tools, call one, and get the result of a call that a person approved", async ({ api, productUrl }) => {
  const requestInit = { headers: { authorization: `Bearer ${await newMcpKey(api)}` } };
  const server = new MCPServerStreamableHttp({ name: "handrail", url: `${productUrl}/mcp`, requestInit });
  await server.connect();
  const tools = await server.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["date_time", "write_file", "enable_tool", "get_result"]));
  const call = async (name: string, args: Record<string, unknown>) => textOf({ content: await server.callTool(name, args) });
  expect(await call("date_time", { timezone: "Europe/Paris" })).toMatch(/\d{4}-\d{2}-\d{2}T/);
  const hook = newHook();
  const id = pendingId(await call("write_file", { path: hook, content }));
  await approvePending(api.approver, ({ arguments: args }) => args.path === hook);
  expect(await call("get_result", { id })).toContain(hook);
  await server.close();
});

const remote = path.resolve("node_modules/mcp-remote/dist/proxy.js");

test("mcp-remote bridges a client of programs: it lists the tools, calls one, and gets the result of a call that a person approved", async ({
  api,
  productUrl,
}) => {
  const home = await mkdtemp(path.join(tmpdir(), "handrail-remote-"));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in from its environment
  const args = [remote, `${productUrl}/mcp`, "--allow-http", "--header", "Authorization: Bearer ${KEY}"];
  const env = { KEY: await newMcpKey(api), HOME: home, MCP_REMOTE_CONFIG_DIR: home, PATH: process.env.PATH ?? "" };
  const client = new Client({ name: "a client of programs", version: "1.0.0" });
  try {
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["date_time", "write_file", "enable_tool", "get_result"]));
    const call = async (name: string, given: Record<string, unknown>) => textOf(await client.callTool({ name, arguments: given }));
    expect(await call("date_time", { timezone: "Europe/Paris" })).toMatch(/\d{4}-\d{2}-\d{2}T/);
    const hook = newHook();
    const id = pendingId(await call("write_file", { path: hook, content }));
    await approvePending(api.approver, ({ arguments: asked }) => asked.path === hook);
    expect(await call("get_result", { id })).toContain(hook);
  } finally {
    await client.close();
    await rm(home, { recursive: true, force: true });
  }
});

const inspector = path.resolve("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

test("the inspector's command line lists the tools, calls one, and gets the result of a call that a person approved", async ({
  api,
  productUrl,
}) => {
  const home = await mkdtemp(path.join(tmpdir(), "handrail-inspector-"));
  const key = await newMcpKey(api);
  const inspect = async (...args: string[]) => {
    const given = ["--cli", `${productUrl}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`, ...args];
    const { code, stdout, stderr } = await runProgram(process.execPath, [inspector, ...given], { env: { HOME: home } });
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const call = async (name: string, args: Record<string, string>) => {
    const pairs = Object.entries(args).map(([parameter, value]) => `${parameter}=${value}`);
    return textOf(await inspect("--method", "tools/call", "--tool-name", name, "--tool-arg", ...pairs));
  };
  try {
    const { tools } = await inspect("--method", "tools/list");
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["date_time", "write_file", "get_result"]));
    expect(await call("date_time", { timezone: "Europe/Paris" })).toMatch(/\d{4}-\d{2}-\d{2}T/);
    const hook = newHook();
    const id = pendingId(await call("write_file", { path: hook, content: "date" }));
    await approvePending(api.approver, ({ arguments: args }) => args.path === hook);
    expect(await call("get_result", { id })).toContain(hook);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
