import { z } from "zod";
import { callStatuses } from "../calls/call-statuses";
import { Id, JsonObject } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { SubmittedCall } from "../turns/turns";

const McpResult = JsonObject.describe("The result as an MCP client gets it: `content`, `structuredContent`, `isError`, `_meta`.");

/** The user interface that a tool of an MCP server shows with a result (MCP Apps). */
export const McpApp = z
  .object({
    uri: z.string().describe("Address of the interface at its server; it begins with `ui://`."),
    server: z.string().describe("Alias of the server."),
    tool: z
      .object({ name: z.string(), title: z.string(), description: z.string(), inputSchema: JsonObject })
      .describe("The tool under its server's own name."),
    arguments: JsonObject.describe("What ran; secrets are masked."),
    result: McpResult,
    hasBorder: z.boolean().describe("`false`: the interface asks for no border around it."),
    connectDomains: z.array(z.string()).describe("Origins that the interface may send requests to."),
    resourceDomains: z.array(z.string()).describe("Origins from which it may load scripts, styles, pictures and fonts."),
    frameDomains: z.array(z.string()).describe("Origins that it may show in frames of its own."),
  })
  .meta({ id: "McpApp" });
export type McpApp = z.infer<typeof McpApp>;

export const McpAppCall = z
  .strictObject({
    name: z.string().min(1).max(200).describe("The server's own name of the tool."),
    arguments: SubmittedCall.shape.arguments,
  })
  .meta({ examples: [{ name: "get_forecast", arguments: { city: "Berlin" } }] });
export type McpAppCall = z.infer<typeof McpAppCall>;

export const McpCallResult = z
  .object({
    turnId: Id,
    callId: Id,
    name: z.string(),
    status: z.enum(callStatuses),
    approvalId: Id.nullable(),
    result: McpResult.nullable().describe("`null` until the call has ended."),
  })
  .meta({ id: "McpCallResult" });
export type McpCallResult = z.infer<typeof McpCallResult>;

const params = z.object({ id: Id, callId: Id });

export const mcpAppEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/turns/{id}/calls/{callId}/app",
    summary: "The user interface (MCP Apps) of a call's tool, and what it is given; 404 when the tool has none",
    permission: "turns:read",
    params,
    response: McpApp,
  }),
  document: endpoint({
    method: "GET",
    path: "/api/v1/turns/{id}/calls/{callId}/app/document",
    summary:
      "The interface's page, for a sandboxed frame: its policy gives it an origin of its own and the network that its server declared",
    permission: "turns:read",
    params,
    responseType: "text/html",
  }),
  call: endpoint({
    method: "POST",
    path: "/api/v1/turns/{id}/calls/{callId}/app/calls",
    summary: "Call a tool of the same server for the interface, as a turn of the same conversation that the guard decides",
    permission: "turns:write",
    params,
    body: McpAppCall,
    response: McpCallResult,
    mayBeTooMany: true,
  }),
  result: endpoint({
    method: "GET",
    path: "/api/v1/turns/{id}/calls/{callId}/result",
    summary: "The result of one call as an MCP client gets it; with `wait`, answers when the call has ended or the time is up",
    permission: "turns:read",
    params,
    query: z.object({ wait: z.coerce.number().min(0).max(60).default(0) }),
    response: McpCallResult,
  }),
};

export const mcpAppContract = defineContract({
  reference: { name: "MCP Apps", description: "User interfaces that tools of MCP servers show with their results." },
  glossary: {
    app: "A user interface that a tool of an MCP server shows with its result (MCP Apps), in a frame without access to the console.",
  },
  endpoints: mcpAppEndpoints,
});
