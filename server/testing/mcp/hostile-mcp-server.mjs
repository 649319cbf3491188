// An MCP server over standard streams for tests; its first argument selects the misbehaviour. Plain JSON-RPC, because the
// SDK would prevent the misbehaviour.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync, watchFile, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [mode = "well", detail = ""] = process.argv.slice(2);
/** Members that a library of another language writes although they have no value. */
const nulls = mode === "nulls" ? { method: null, params: null, error: null } : {};
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...nulls, ...message })}\n`);
const text = (words) => ({ content: [{ type: "text", text: words }] });
const tool = (name, rest = {}) => ({ name, description: `Tool ${name}`, inputSchema: { type: "object", properties: {} }, ...rest });

if (mode === "dies") {
  process.stderr.write("\u001b[31mFatal:\u001b[0m no configuration found\n");
  process.stderr.write(`looked for ${detail || "settings.json"}\n`);
  process.exit(3);
}
if (mode === "stubborn") {
  process.on("SIGTERM", () => {});
  process.stdin.on("end", () => {});
  setInterval(() => {}, 1_000);
  // A child that does not notice its parent's end.
  spawn("sleep", [detail || "600"], { stdio: "ignore" });
}
if (mode === "noisy") process.stdout.write("Starting server...\n{not json}\n\n");

/** Writes many pieces as fast as the stream takes them. */
async function pour(stream, count, pieceOf) {
  for (let index = 0; index < count; index += 1) if (!stream.write(pieceOf(index))) await once(stream, "drain");
}
const rubbish = `${"no message at all ".repeat(60)}\n`;
if (mode === "babbles") await pour(process.stdout, 1_000_000, () => rubbish);

const grown = [];
const listed = {
  well: () => [
    tool("echo"),
    tool("die"),
    tool("slow"),
    tool("fail"),
    tool("huge"),
    tool("huge_unknown"),
    tool("nothing"),
    tool("parts"),
    tool("steps"),
    tool("grow"),
    tool("refuse"),
    tool("nonsense"),
    tool("answer_with"),
    tool("print"),
    tool("flood"),
    tool("flood_changes"),
    tool("flood_logs"),
    tool("babble"),
    tool("shout"),
    tool("die_once", { annotations: { readOnlyHint: true } }),
    tool("die_always", { annotations: { readOnlyHint: true } }),
    ...grown,
  ],
  paged: () => Array.from({ length: Number(detail) }, (_, index) => tool(`tool_${index}`)),
  grows: () => Array.from({ length: grown.length > 0 ? 5_100 : 10 }, (_, index) => tool(index === 0 ? "grow" : `tool_${index}`)),
  traced: () => [tool("meta")],
  /** Lists the tools in a file, and announces each change of the file. */
  from_file: () => JSON.parse(readFileSync(detail, "utf8")).map(({ name, ...rest }) => tool(name, rest)),
  many: () => Array.from({ length: 200 }, (_, index) => tool(`tool_${index}`)),
  odd: () => [tool("x".repeat(80)), tool("get.weather"), tool("get weather"), tool("ünïcödé/☃"), tool("nul\u0000"), tool("")],
  bare: () => [
    { name: "no_schema" },
    { name: "no_type", inputSchema: { properties: { a: { type: "string" } }, required: ["a"] } },
    { name: "no_properties", inputSchema: { type: "object" } },
    { name: "bad_schema", inputSchema: { type: "object", properties: { a: { type: "strng" } } } },
    { name: "hidden", description: "Reads.\u200b\u202e\u0000 Really.", inputSchema: { type: "object" } },
    "not a tool",
    { title: "no name" },
  ],
};
const tools = () => (listed[mode] ?? listed.well)();
if (mode === "from_file") watchFile(detail, { interval: 50 }, () => send({ method: "notifications/tools/list_changed" }));

const calls = {
  echo: (params) => text(JSON.stringify(params.arguments ?? {})),
  meta: (params) => text(JSON.stringify({ traceparent: params._meta?.traceparent ?? null })),
  fail: () => ({ ...text("No such file: a.txt"), isError: true }),
  huge: () => text("x".repeat(50 * 1024 * 1024)),
  nothing: () => ({ content: [] }),
  parts: () => ({
    content: [
      { type: "text", text: "a picture" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ],
    structuredContent: { width: 1 },
  }),
  nonsense: () => ({ content: [{ type: "hologram" }] }),
  null_parts: () => {
    const unset = { annotations: null, _meta: null };
    const link = {
      type: "resource_link",
      uri: "note://b",
      name: "b",
      title: null,
      description: null,
      mimeType: null,
      size: null,
      ...unset,
    };
    return {
      content: [
        { type: "text", text: "one", ...unset },
        { type: "resource", resource: { uri: "note://a", mimeType: null, text: "two", _meta: null }, ...unset },
        link,
      ],
      structuredContent: null,
      isError: null,
      _meta: null,
    };
  },
  grow: () => {
    grown.push(tool(`grown_${grown.length}`));
    send({ method: "notifications/tools/list_changed" });
    return text("grown");
  },
};

/** Handlers that take more than one line, or end the program. */
const longer = {
  flood: async ({ id, params }) => {
    const progressToken = params._meta?.progressToken;
    const { count = 200_000 } = params.arguments;
    const step = (progress) => ({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress, total: count } });
    await pour(process.stdout, count, (index) => `${JSON.stringify(step(index + 1))}\n`);
    send({ id, result: text("done") });
  },
  flood_changes: async ({ id, params }) => {
    const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n`;
    await pour(process.stdout, params.arguments.count, () => line);
    send({ id, result: text("done") });
  },
  flood_logs: async ({ id, params }) => {
    const log = {
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "x".repeat(params.arguments.size ?? 20) },
    };
    const line = `${JSON.stringify(log)}\n`;
    await pour(process.stdout, params.arguments.count, () => line);
    send({ id, result: text("done") });
  },
  /** Answers with the members of a message that the call names. */
  answer_with: ({ id, params }) => {
    process.stdout.write(`${JSON.stringify({ level: "info", id, msg: "a line of a log" })}\n`);
    process.stdout.write(`${JSON.stringify({ id, ...params.arguments.message })}\n`);
  },
  /** Prints lines of the call's own, with its id where they say `$ID`. */
  print: ({ id, params }) => {
    for (const line of params.arguments.lines) process.stdout.write(`${line.replaceAll("$ID", id)}\n`);
  },
  babble: () => pour(process.stdout, 1_000_000, () => rubbish),
  shout: async ({ id }) => {
    await pour(process.stderr, 50_000, () => rubbish);
    send({ id, result: text("heard") });
  },
  die_once: ({ id, params }) => {
    const { file } = params.arguments;
    if (existsSync(file)) return send({ id, result: text("back again") });
    writeFileSync(file, "");
    process.exit(9);
  },
  die_always: ({ params }) => {
    if (params.arguments.file) appendFileSync(params.arguments.file, "x");
    process.exit(9);
  },
};

function withNulls({ serverInfo, ...rest }) {
  const capabilities = { tools: { listChanged: null }, resources: null, prompts: null, logging: null, experimental: null };
  return { ...rest, capabilities, serverInfo: { ...serverInfo, title: null, icons: null }, instructions: null, _meta: null };
}

function list(params) {
  if (mode === "nulls") {
    const unset = { title: null, outputSchema: null, annotations: null, icons: null, execution: null, _meta: null };
    return { tools: [tool("null_parts", unset)], nextCursor: null, _meta: null };
  }
  const pageSize = mode === "paged" ? 10 : mode === "grows" ? 1_000 : 50;
  if (mode === "loops") return { tools: [tool("again")], nextCursor: "again" };
  const start = Number(params?.cursor ?? 0);
  const all = tools();
  return { tools: all.slice(start, start + pageSize), ...(start + pageSize < all.length ? { nextCursor: `${start + pageSize}` } : {}) };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (mode === "hangs") return;
  if (mode === "strict" && method === "server/discover") process.exit(1);
  if (id === undefined) return;
  if (method === "initialize") {
    if (mode === "refuses_initialize") return send({ id, error: { code: -32000, message: "The licence has ended" } });
    const protocolVersion = mode === "unknown_version" ? "1999-01-01" : params.protocolVersion;
    const capabilities = mode === "toolless" ? {} : { tools: { listChanged: true } };
    const result = { protocolVersion, capabilities, serverInfo: { name: "hostile", version: "1" } };
    send({ id, result: mode === "nulls" ? withNulls(result) : result });
  } else if (method === "tools/list") {
    if (mode === "refuses_list") return send({ id, error: { code: -32000, message: "No access to this project" } });
    send({ id, result: list(params) });
  } else if (method === "tools/call") {
    if (mode === "noisy") process.stdout.write("still here\n");
    if (longer[params.name]) void longer[params.name]({ id, params });
    else if (params.name === "die") {
      process.stderr.write("out of memory\n");
      process.exit(9);
    } else if (params.name === "slow") return;
    else if (params.name === "refuse") send({ id, error: { code: -32602, message: "Not today" } });
    else if (params.name === "huge_unknown") process.stdout.write(`${"x".repeat(20 * 1024 * 1024)}\n`);
    else if (params.name === "steps") {
      const progressToken = params._meta?.progressToken;
      send({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2, message: "half way" } });
      // Delayed, because a client would overtake progress that arrives in the same chunk.
      setTimeout(() => send({ id, result: text("done") }), 50);
    } else send({ id, result: calls[params.name]?.(params) ?? text("unknown") });
  } else {
    send({ id, error: { code: -32601, message: "Method not found" } });
  }
});
