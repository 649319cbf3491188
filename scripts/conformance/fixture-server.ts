import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createRequestStateCodec, fromJsonSchema, McpServer, type ServerNotifier } from "@modelcontextprotocol/server";
import { z } from "zod";
import { serveMcp } from "../../server/testing/mcp/serve-mcp";
import { registerContents } from "./fixture-contents";
import { registerQuestions, registerRequests } from "./fixture-questions";

/** A picture of one red pixel, and a silent sound. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

/** The schema that the suite expects to find unchanged (SEP-1613, SEP-2106). */
const schema2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const state = createRequestStateCodec<{ step: number }>({ key: randomBytes(32) });

/** The tools that the suite's scenarios call, as an MCP server behind Handrail. */
function fixtures(notify: ServerNotifier): McpServer {
  const server = new McpServer(
    { name: "conformance-fixtures", version: "1.0.0" },
    { capabilities: { logging: {} }, requestState: { verify: state.verify } },
  );
  const annotations = { readOnlyHint: true };
  const none = z.object({});
  server.registerTool("test_simple_text", { description: "Text", inputSchema: none, annotations }, () => ({
    content: [{ type: "text", text: "This is a simple text response for testing." }],
  }));
  server.registerTool("test_image_content", { description: "Picture", inputSchema: none, annotations }, () => ({
    content: [{ type: "image", data: png, mimeType: "image/png" }],
  }));
  server.registerTool("test_audio_content", { description: "Sound", inputSchema: none, annotations }, () => ({
    content: [{ type: "audio", data: wav, mimeType: "audio/wav" }],
  }));
  server.registerTool("test_embedded_resource", { description: "Resource", inputSchema: none, annotations }, () => ({
    content: [
      {
        type: "resource",
        resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." },
      },
    ],
  }));
  server.registerTool("test_multiple_content_types", { description: "Mixed", inputSchema: none, annotations }, () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: png, mimeType: "image/png" },
      { type: "resource", resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: '{"test":"data"}' } },
    ],
  }));
  server.registerTool("test_error_handling", { description: "Error", inputSchema: none, annotations }, () => ({
    isError: true,
    content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
  }));
  server.registerTool("test_tool_with_progress", { description: "Progress", inputSchema: none, annotations }, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: progressToken ?? "", progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params });
      // Longer than the suite's 50 ms: Handrail passes on one line of progress a tenth of a second.
      await pause(300);
    }
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("greet", { description: "Greets", inputSchema: z.object({ name: z.string() }), annotations }, ({ name }) => ({
    content: [{ type: "text", text: `Hello, ${name}!` }],
  }));
  const slow = z.object({ seconds: z.number().default(1), label: z.string().default("") });
  server.registerTool(
    "slow_compute",
    { description: "Takes time", inputSchema: slow, annotations },
    async ({ seconds, label }, { mcpReq }) => {
      await pause(seconds * 1_000, undefined, { signal: mcpReq.signal });
      return { content: [{ type: "text", text: `computed ${label}` }] };
    },
  );
  server.registerTool("failing_job", { description: "Fails", inputSchema: none, annotations }, async () => {
    await pause(1_000);
    return { isError: true, content: [{ type: "text", text: "the job failed" }] };
  });
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Tool with JSON Schema 2020-12 features", inputSchema: fromJsonSchema(schema2020), annotations },
    () => ({ content: [{ type: "text", text: "ok" }] }),
  );
  const region = { type: "string" as const, "x-mcp-header": "Region" };
  const routed = fromJsonSchema<{ region: string }>({ type: "object", properties: { region }, required: ["region"] });
  server.registerTool("test_routed", { description: "Goes to a region", inputSchema: routed, annotations }, (args) => ({
    content: [{ type: "text", text: `routed to ${args.region}` }],
  }));
  server.registerTool("test_trigger_prompt_change", { description: "Changes a prompt", inputSchema: none, annotations }, () => {
    notify.promptsChanged();
    return { content: [{ type: "text", text: "changed" }] };
  });
  server.registerTool("test_tool_with_logging", { description: "Logs", inputSchema: none, annotations }, async (_args, { mcpReq }) => {
    for (const line of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", line);
      await pause(50);
    }
    return { content: [{ type: "text", text: "logged" }] };
  });
  registerQuestions(server, state);
  registerRequests(server);
  registerContents(server, png);
  return server;
}

/** Serves the fixtures over streamable HTTP. */
export const startFixtureServer = () => serveMcp(fixtures);
