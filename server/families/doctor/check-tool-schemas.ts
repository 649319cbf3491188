import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { CheckResult } from "@/server/platform/extension-points/doctor-checks";

type Described = { name: string; inputSchema: unknown };

const name = "Tools";
const maxNamed = 10;

/**
 * Checks the registry and the schema of each tool.
 * @param tools null when no registry is configured
 * Source: shared behaviour 22 (doctor of seed S5).
 */
export function checkToolSchemas(tools: readonly Described[] | null): CheckResult {
  const link = { label: "Tools", path: "/tools" };
  if (tools === null) {
    return { name, status: "failed", sentence: "no tool registry configured", wayOut: "Start Handrail; the start registers its tools." };
  }
  if (tools.length === 0) {
    return { name, status: "warning", sentence: "no tools registered", wayOut: "Start Handrail once, or add an MCP server.", link };
  }
  const broken = tools.flatMap((tool) => {
    const note = findSchemaFault(tool.inputSchema);
    return note ? [`${tool.name}: ${note}`] : [];
  });
  if (broken.length === 0)
    return { name, status: "ok", sentence: `${tools.length} tools registered (${listed(tools.map((tool) => tool.name))})` };
  return {
    name,
    status: "failed",
    sentence: `${broken.length} of ${tools.length} tools have invalid schemas (${listed(broken)})`,
    wayOut: "Repair the schema where the tool comes from, and connect its source again.",
    link,
  };
}

/** Returns what is wrong with a tool's input schema; null for a sound one. */
export function findSchemaFault(schema: unknown): string | null {
  if (typeof schema === "string") {
    try {
      return findSchemaFault(schema.trim() === "" ? null : JSON.parse(schema));
    } catch (error) {
      return `invalid JSON: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  if (schema === null || schema === undefined || (isJsonObject(schema) && Object.keys(schema).length === 0)) return "schema is empty";
  if (!isJsonObject(schema)) return '"type" must be "object"';
  return findObjectFault(schema);
}

function findObjectFault({ type, properties, required }: JsonObject): string | null {
  if (type === undefined) return 'missing "type"';
  if (type !== "object") return `"type" must be "object", got ${JSON.stringify(type)}`;
  if (properties !== undefined && !isJsonObject(properties)) return '"properties" must be an object of schemas';
  if (required !== undefined && !isListOfNames(required)) return '"required" must be an array of property names';
  return null;
}

const isListOfNames = (value: unknown): boolean => Array.isArray(value) && value.every((entry) => typeof entry === "string");

function listed(entries: readonly string[]): string {
  const rest = entries.length - maxNamed;
  return `${entries.slice(0, maxNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
