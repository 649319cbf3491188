import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

/** An MCP server that reports its environment. The argument `child` makes it start a child that ignores SIGTERM. */
if (process.argv.includes("child")) {
  const program = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
  spawn(process.execPath, ["-e", program, ...process.argv.slice(2)], { stdio: "ignore", detached: true });
}

/** Fetches an address through the environment's proxy. */
function fetched(url) {
  const proxy = process.env.HTTP_PROXY ? new URL(process.env.HTTP_PROXY) : null;
  if (!proxy) return "no proxy";
  const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString("base64");
  const headers = { "proxy-authorization": `Basic ${credentials}`, host: new URL(url).host };
  return new Promise((resolve) => {
    const asked = request({ host: proxy.hostname, port: proxy.port, path: url, headers }, async (answer) => {
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve(`${answer.statusCode} ${Buffer.concat(chunks)}`.trim());
    });
    asked.on("error", (error) => resolve(error.message));
    asked.end();
  });
}

/** Appends to a file, and tells whether it could. */
function appended(file) {
  try {
    appendFileSync(file, "x");
    return "written";
  } catch (error) {
    return error.code;
  }
}

const server = new McpServer({ name: "looking", version: "1.0.0" });
const inputSchema = {
  exists: z.array(z.string()).optional(),
  fetch: z.array(z.string()).optional(),
  append: z.array(z.string()).optional(),
};
server.registerTool("look", { description: "Tells what it sees", inputSchema }, async ({ exists = [], fetch: urls = [], append = [] }) => {
  const readable = exists.filter((file) => existsSync(file) && readdirSync(file).some((name) => name !== "mcp"));
  const seen = {
    cwd: process.cwd(),
    home: process.env.HOME,
    env: process.env,
    files: readdirSync("."),
    readable,
    appended: append.map(appended),
  };
  const text = JSON.stringify({ ...seen, fetched: await Promise.all(urls.map(fetched)) });
  return { content: [{ type: "text", text }] };
});
await server.connect(new StdioServerTransport());
