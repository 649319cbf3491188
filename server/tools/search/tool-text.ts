import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { withoutSource } from "../disclosure/tool-words";
import type { RegisteredTool } from "../registered-tool";
import type { ToolText } from "./tool-index";

type Searchable = Pick<
  RegisteredTool,
  "name" | "title" | "shownDescription" | "source" | "sourceName" | "family" | "shownInputSchema" | "aliases"
>;

const maxParameterDepth = 4;
const maxParameters = 200;
const maxWordsOfEnum = 20;
const maxCharacters = 4_000;

/** Returns the texts by which a tool is found. */
export function toToolText(tool: Searchable): ToolText {
  const parameters: string[] = [];
  const parameterTexts: string[] = [];
  collectParameters(tool.shownInputSchema, { parameters, parameterTexts }, 0);
  const prefix = tool.sourceName === null ? 0 : tool.name.indexOf("__") + 2;
  return {
    name: [tool.name.slice(prefix > 1 ? prefix : 0), ...tool.aliases].join(" "),
    // Without a title of its own the tool's name stands there, which would count twice.
    title: tool.title === tool.name || tool.name.endsWith(`__${tool.title}`) ? "" : tool.title,
    description: withoutSource(tool).slice(0, maxCharacters),
    parameters: parameters.join(" "),
    parameterTexts: parameterTexts.join(" ").slice(0, maxCharacters),
    source: tool.sourceName ?? tool.family,
  };
}

function collectParameters(schema: JsonObject, found: { parameters: string[]; parameterTexts: string[] }, depth: number): void {
  if (depth > maxParameterDepth || !isJsonObject(schema.properties)) return;
  for (const [name, value] of Object.entries(schema.properties)) {
    if (found.parameters.length >= maxParameters) return;
    found.parameters.push(name);
    if (!isJsonObject(value)) continue;
    if (typeof value.description === "string") found.parameterTexts.push(value.description);
    if (Array.isArray(value.enum)) {
      found.parameterTexts.push(...value.enum.filter((item) => typeof item === "string").slice(0, maxWordsOfEnum));
    }
    collectParameters(value.type === "array" && isJsonObject(value.items) ? value.items : value, found, depth + 1);
  }
}
