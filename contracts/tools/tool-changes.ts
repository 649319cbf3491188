import { z } from "zod";
import { ActorRef, Id, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { severities } from "../decisions/decision";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { ToolFinding } from "./tool-findings";
import { toolEffects } from "./tools";

/** `changed`: differs from its pin. `renamed`: a known tool under another name or spelling. `flagged`: new, with a severe finding. */
export const toolChangeKinds = ["changed", "renamed", "flagged"] as const;
export const toolChangeStatuses = ["pending", "approved", "rejected"] as const;
/** `pinned`: as accepted. `changed`: differs from its pin. `new`: without a pin. `gone`: pinned, and listed no more. */
export const pinStates = ["pinned", "changed", "new", "gone"] as const;
/** Parts of a definition, by which a change is named. */
export const definitionParts = ["name", "title", "description", "schema", "outputSchema", "annotations"] as const;

/** Name of the change of a server's instructions. No MCP tool has the name, because each begins with the alias and `__`. */
export const instructionsName = "instructions";

/** A server's claims about its tool's behaviour. Without an admin's trust, a hint only ever makes the guard stricter. */
export const ToolHints = z.object({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type ToolHints = z.infer<typeof ToolHints>;

export const ToolDefinition = z
  .object({
    rawName: z.string().describe("Name at its server."),
    title: z.string(),
    description: z.string(),
    inputSchema: JsonObject,
    outputSchema: JsonObject.nullable().describe("Schema of the structured content of results; null for a tool without one."),
    annotations: ToolHints,
    hash: z.string().describe("SHA-256 of name, title, description, schemas and annotations as the server sent them."),
  })
  .meta({ id: "ToolDefinition" });
export type ToolDefinition = z.infer<typeof ToolDefinition>;

export const ToolChange = z
  .object({
    id: Id,
    server: z.object({ id: Id, alias: z.string() }),
    tool: z.string().describe("`instructions` for the server's own instructions, whose text is the description."),
    kind: z.enum(toolChangeKinds),
    status: z.enum(toolChangeStatuses),
    isCurrent: z.boolean().describe("The server lists this definition now, so that it can be decided."),
    before: ToolDefinition.nullable().describe("The pin; null for a tool without one."),
    after: ToolDefinition,
    parts: z.array(z.enum(definitionParts)).describe("What differs; all parts for a tool without a pin."),
    effect: z.object({ before: z.enum(toolEffects).nullable(), after: z.enum(toolEffects) }),
    renamedFrom: z.string().nullable().describe("The tool that has the same content, or the same name in another spelling."),
    findings: z.array(ToolFinding),
    risk: z.enum(severities),
    seenAt: Timestamp,
    decidedAt: Timestamp.nullable(),
    decidedBy: ActorRef.nullable(),
    comment: z.string(),
  })
  .meta({ id: "ToolChange" });
export type ToolChange = z.infer<typeof ToolChange>;

export const PinDecision = z
  .strictObject({
    decision: z.enum(["approve", "reject"], { error: "decision must be approve or reject" }),
    hash: z.string().min(1).max(200).describe("`after.hash` of the change that was shown; another definition is not decided."),
    comment: z.string().trim().max(2_000).default(""),
  })
  .meta({ examples: [{ decision: "approve", hash: "5f0c…" }] });
export type PinDecision = z.infer<typeof PinDecision>;

export const ToolChangeFilter = z.object({
  status: z.enum(toolChangeStatuses).optional(),
  serverId: Id.optional(),
  tool: z.string().max(64).optional(),
});
export type ToolChangeFilter = z.infer<typeof ToolChangeFilter>;

export const toolChangeEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/tool-changes",
    summary: "Changes of MCP tools behind their pins, newest first; `total` counts all that the filter covers",
    permission: "tools:read",
    query: ToolChangeFilter.extend({ ...pageQuery }),
    response: listOf(ToolChange),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/tool-changes/{id}",
    summary: "One change of an MCP tool, with its definition before and after",
    permission: "tools:read",
    params: z.object({ id: Id }),
    response: ToolChange,
  }),
  decide: endpoint({
    method: "POST",
    path: "/api/v1/mcp/servers/{id}/tools/{name}/pin",
    summary: "Approve the tool's new definition, which becomes its pin, or reject it: then the tool stays off",
    permission: "tools:write",
    params: z.object({ id: Id, name: z.string().min(1).max(64) }),
    body: PinDecision,
    response: ToolChange,
  }),
};

export const toolChangeContract = defineContract({
  reference: { name: "Tool changes", description: "MCP tools whose servers changed them after they were pinned." },
  glossary: {
    pin: "The hash of an MCP tool's accepted definition: name, title, description, schema and hints.",
    quarantine: "The state of an MCP tool whose server lists another definition than its pin; calls are refused until a person decides.",
    "tool change":
      "A definition that differs from a tool's pin, or instructions that differ from a server's accepted ones, with the decision of a person about it.",
  },
  endpoints: toolChangeEndpoints,
  audit: {
    "tool.quarantined": "Tool quarantined",
    "tool.pin_approved": "Tool change approved",
    "tool.pin_rejected": "Tool change rejected",
    "tool.pin_restored": "Tool back at its pin",
  },
  events: {
    "tool.quarantined": { label: "Tool quarantined", explanation: "An MCP server changed a tool; it is off until a person decides" },
  },
});
