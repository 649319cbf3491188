import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { SubmittedCall } from "@/contracts/turns/turns";
import { parseExactJson } from "@/server/platform/formats/exact-json";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { builtinTools } from "@/server/tools/builtin-tools";
import type { AnyTool } from "@/server/tools/define-tool";
import { nameIndex } from "@/server/tools/resolve-name";
import type { CallCarrier } from "@/server/tools/tool-traits";

type Carrier = AnyTool & { carrier: CallCarrier };
type Taken = Pick<SubmittedCall, "name" | "arguments"> & { carriedBy: string | null };

const isCarrier = (tool: AnyTool): tool is Carrier => tool.carrier !== undefined;

/**
 * Returns the call that a carrier's arguments hold, in place of the carrier's own call. This happens before hooks, guard,
 * approval and audit, so that all of them see the tool that does the work. A carrier's call that holds no proper call
 * stays as it is, and fails with the carrier's sentence.
 */
export function takeCarriedCall(submitted: Pick<SubmittedCall, "name" | "arguments">): Taken {
  const direct: Taken = { name: submitted.name, arguments: submitted.arguments, carriedBy: null };
  const findCarrier = nameIndex(builtinTools().filter(isCarrier));
  const tool = findCarrier(submitted.name.trim());
  const sent = tool && readObject(submitted.arguments);
  if (!tool || !sent) return direct;
  const { depth, hasPrototypeKey } = inspectJson(sent);
  if (depth > maxArgumentDepth || hasPrototypeKey) return direct;
  const { carrier } = tool;
  // Models send the inner arguments as an object or as its text.
  const parsed = [sent, withReadTexts(sent)].map((args) => tool.parse(args)).find(({ ok }) => ok);
  if (!parsed?.ok) return direct;
  const name = parsed.value[carrier.toolParameter];
  const args = parsed.value[carrier.argumentsParameter];
  if (typeof name !== "string" || !isJsonObject(args) || findCarrier(name)) return direct;
  return { name, arguments: args, carriedBy: tool.name };
}

function withReadTexts(sent: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, (typeof value === "string" && readObject(value)) || value]));
}

function readObject(value: unknown): JsonObject | null {
  if (typeof value !== "string") return isJsonObject(value) ? value : null;
  try {
    const read: unknown = parseExactJson(value);
    return isJsonObject(read) ? read : null;
  } catch {
    return null;
  }
}
