import { isJsonObject } from "@/contracts/is-json-object";
import type { KeptDefinition } from "@/db/schema";
import { inspectDefinition } from "@/server/guard/definitions/inspect-definition";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { schemaFault } from "./argument-check";
import { cleanLine, cleanText } from "./clean-text";
import { completeSchema, findPrimaryArgument, isDeeperThan, maxSchemaDepth } from "./input-schema";
import type { UpstreamTool } from "./list-upstream-tools";

const maxTitleCharacters = 120;
const maxDescriptionCharacters = 4_000;

/** Converts a listed tool to the definition that is pinned: cleaned for people and models, hashed as the server sent it. */
export function describeDefinition(alias: string, name: string, listed: UpstreamTool): KeptDefinition {
  const { schema, fault } = completeSchema(listed.inputSchema);
  const { title: hintTitle, ...annotations } = listed.annotations ?? {};
  const title = cleanLine(listed.title ?? hintTitle ?? "", maxTitleCharacters) || cleanLine(listed.name, maxTitleCharacters) || name;
  const compileFault = fault ?? schemaFault(schema);
  const words = cleanText(listed.description ?? "", maxDescriptionCharacters) || title;
  // A schema that is too deep is never called, and its depth could exhaust the stack of what hashes it.
  const hashedSchema = isDeeperThan(listed.inputSchema, maxSchemaDepth) ? "too deep" : (listed.inputSchema ?? null);
  const content = [listed.title ?? null, listed.description ?? null, hashedSchema, listed.annotations ?? null];
  return {
    rawName: listed.name,
    title,
    description: cleanText(`[MCP server: ${alias}] ${words}`, maxDescriptionCharacters),
    inputSchema: schema,
    annotations,
    hash: sha256(canonicalJson([listed.name, ...content])),
    contentHash: sha256(canonicalJson(content)),
    primaryArgument: findPrimaryArgument(schema),
    findings: inspectDefinition({ ...listed, inputSchema: isJsonObject(hashedSchema) ? hashedSchema : undefined }),
    unavailableReason: compileFault ? `${name} cannot be called: ${compileFault}` : null,
  };
}
