// An MCP server over streamable HTTP for tests. Each tool misbehaves as its name says. Argument: a port.
import { once } from "node:events";
import { createServer } from "node:http";

const [port] = process.argv.slice(2);
const readOnly = { annotations: { readOnlyHint: true } };
const tool = (name, rest = {}) => ({ name, inputSchema: { type: "object", properties: {} }, ...rest });
const tools = [
  "echo",
  "hang",
  "hang_stream",
  "die",
  "huge",
  "garbage",
  "flood",
  "cut_write",
  "busy_write",
  "sockets",
  "flood_logs",
  "answer_with",
].map((name) => tool(name));
tools.push(tool("cut_read", readOnly), tool("busy_read", readOnly), tool("half_read", readOnly));
const text = (words) => ({ content: [{ type: "text", text: words }] });
const line = (message) => JSON.stringify({ jsonrpc: "2.0", ...message });
/** Number of calls of each tool. */
const counts = {};

const calls = {
  echo: ({ params, answer }) => answer(text(JSON.stringify(params.arguments ?? {}))),
  /** Returns the number of busy connections, except this one, and the counts. */
  sockets: ({ answer }) => answer(text(JSON.stringify({ busy: busy.size - 1, counts }))),
  hang: () => {},
  hang_stream: ({ response }) => response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
  die: () => process.exit(9),
  huge: ({ answer }) => answer(text("x".repeat(50 * 1024 * 1024))),
  garbage: ({ response }) => response.writeHead(200, { "content-type": "application/json" }).end("<html>Welcome!</html>"),
  /** Answers with the members of a message that the call names, or its text: as JSON, or on a stream that stays open and could be resumed. */
  answer_with: ({ id, params, response }) => {
    const { message, body: written, isStream } = params.arguments;
    const body = written?.replaceAll("$ID", id) ?? JSON.stringify({ id, ...message });
    if (!isStream) return response.writeHead(200, { "content-type": "application/json" }).end(body);
    response.writeHead(200, { "content-type": "text/event-stream" }).write(`id: 1\ndata: ${body}\n\n`);
  },
  flood_logs: async ({ id, params, response }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const { count, size = 20 } = params.arguments;
    const event = `data: ${line({ method: "notifications/message", params: { level: "info", data: "x".repeat(size) } })}\n\n`;
    for (let sent = 0; sent < count; sent += 1) if (!response.write(event)) await once(response, "drain");
    response.end(`data: ${line({ id, result: text("done") })}\n\n`);
  },
  flood: async ({ id, params, response }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const progressToken = params._meta?.progressToken;
    const { count = 15_000 } = params.arguments;
    for (let progress = 1; progress <= count; progress += 1) {
      const step = { method: "notifications/progress", params: { progressToken, progress, total: count } };
      if (!response.write(`data: ${line(step)}\n\n`)) await once(response, "drain");
    }
    response.end(`data: ${line({ id, result: text("done") })}\n\n`);
  },
  cut_write: ({ response }) => response.destroy(),
  busy_write: ({ response }) => response.writeHead(503).end("busy"),
  cut_read: ({ count, answer, response }) => (count < 3 ? response.destroy() : answer(text("third time lucky"))),
  busy_read: ({ response }) => response.writeHead(503).end("busy"),
  half_read: ({ count, answer, response }) =>
    count < 2 ? response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n") : answer(text("whole")),
};

const busy = new Set();
createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  if (request.method !== "POST") return response.writeHead(405).end();
  const { id, method, params } = JSON.parse(Buffer.concat(pieces).toString());
  const json = (message) => response.writeHead(200, { "content-type": "application/json" }).end(line({ id, ...message }));
  const answer = (result) => json({ result });
  if (id === undefined) return response.writeHead(202).end();
  busy.add(response);
  response.once("close", () => busy.delete(response));
  if (method === "initialize") {
    return answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "hostile", version: "1" } });
  }
  if (method === "tools/list") return answer({ tools });
  if (method === "ping") return answer({});
  if (method !== "tools/call") return json({ error: { code: -32601, message: "Method not found" } });
  counts[params.name] = (counts[params.name] ?? 0) + 1;
  return calls[params.name]({ id, params, response, answer, count: counts[params.name] });
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("listening\n"));
