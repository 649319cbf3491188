import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { KeptDefinition } from "@/db/schema";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { inspectDefinition } from "@/server/tools/definitions/inspect-definition";
import { schemaFault } from "../schemas/argument-check";
import { completeOutputSchema, completeSchema, findPrimaryArgument, isDeeperThan, maxSchemaDepth } from "../schemas/input-schema";
import { cleanLine, cleanText, comparableText } from "../text/clean-text";
import type { UpstreamTool } from "./list-upstream-tools";

const maxTitleCharacters = 120;
const maxDescriptionCharacters = 4_000;

/** Converts a listed tool to the definition that is pinned: cleaned for people and models, its pin hashed as the server sent it. */
export function describeDefinition(alias: string, name: string, listed: UpstreamTool): KeptDefinition {
  const { schema, dialect, fault } = completeSchema(listed.inputSchema);
  const { title: hintTitle, ...annotations } = listed.annotations ?? {};
  const title = cleanLine(listed.title ?? hintTitle ?? "", maxTitleCharacters) || cleanLine(listed.name, maxTitleCharacters) || name;
  const compileFault = fault ?? schemaFault(schema);
  const words = cleanText(listed.description ?? "", maxDescriptionCharacters);
  // A schema that is too deep is never called, and its depth could exhaust the stack of what hashes it.
  const hashedSchema = isDeeperThan(listed.inputSchema, maxSchemaDepth) ? "too deep" : (listed.inputSchema ?? null);
  const content = [listed.name, listed.title ?? null, listed.description ?? null, hashedSchema, listed.annotations ?? null];
  const outputSchema = completeOutputSchema(listed.outputSchema);
  return {
    rawName: listed.name,
    title,
    description: cleanText(`[MCP server: ${alias}] ${words || title}`, maxDescriptionCharacters),
    inputSchema: schema,
    schemaDialect: dialect,
    outputSchema,
    annotations,
    hash: sha256(canonicalJson(outputSchema ? [...content, listed.outputSchema] : content)),
    ...(outputSchema ? { hashWithoutOutput: sha256(canonicalJson(content)) } : {}),
    contentHash: hashContent([words, listed.title ?? hintTitle ?? ""], schema, annotations),
    primaryArgument: findPrimaryArgument(schema),
    findings: inspectDefinition({ ...listed, inputSchema: isJsonObject(hashedSchema) ? hashedSchema : undefined, outputSchema }),
    unavailableReason: compileFault ? `${name} cannot be called: ${compileFault}` : null,
  };
}

/**
 * Hashes schema, hints and the description (without one the title), as a person reads them. A copy of a tool must not pass
 * as another tool because of a space, a letter's case or an invisible character.
 */
function hashContent(words: readonly string[], schema: JsonObject, hints: object): string {
  const read = words.map((text) => comparableText(text.slice(0, maxDescriptionCharacters)));
  return sha256(canonicalJson([read.find((text) => text !== "") ?? "", comparable(schema), hints]));
}

/** Applies `comparableText` to every text of a schema; its keys stay, because calls use them. */
function comparable(value: unknown): unknown {
  if (typeof value === "string") return comparableText(value);
  if (Array.isArray(value)) return value.map(comparable);
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, comparable(member)])) : value;
}
