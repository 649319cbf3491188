import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { LRUCache } from "lru-cache";
import type { JsonObject } from "@/contracts/common";
import { sha256 } from "@/server/platform/crypto";
import { toErrorMessage } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import type { ParsedArguments } from "@/server/tools/define-tool";
import { cleanLine } from "../text/clean-text";
import { linearPattern } from "./linear-patterns";
import { withRequiredDefaults } from "./required-defaults";
import { runSyncWithTimeout } from "./run-sync-with-timeout";

type Check =
  | { validate: ValidateFunction; needsStopwatch: boolean }
  /** `isPassing`: the machine was slow, not the schema. The result is not cached, so the next call compiles again. */
  | { fault: string; isPassing: boolean };

const maxChecksKept = 500;
const compileMilliseconds = 1_000;
/** Error code of `runSyncWithTimeout`. It measures wall time, so a busy machine looks like a slow schema. */
const timeIsUp = "ERR_SCRIPT_EXECUTION_TIMEOUT";
const validateMilliseconds = 250;
/** A schema up to this size, without references, checks a request body of 1 MiB quickly and needs no time limit. */
const harmlessSchemaCharacters = 8_192;
const maxSentences = 5;

const options: Options = {
  strict: false,
  // The first error ends the check, because a list of 100,000 wrong items must not become 100,000 errors.
  allErrors: false,
  // The server checks formats, which are annotations in JSON Schema; checks here would only add regular expressions.
  validateFormats: false,
  inlineRefs: false,
  coerceTypes: false,
  useDefaults: false,
  logger: false,
  code: { regExp: Object.assign(linearPattern, { code: "linearPattern" }) },
};

/** Validators of the meta schemas. They compile at first use, here without a time limit: an interrupted one stays broken. */
const metaCheckers = () =>
  processWide("mcp.metaSchemas", () => {
    const checkers = { draft2020: new Ajv2020(options), draft7: new Ajv(options) };
    for (const checker of Object.values(checkers)) checker.validateSchema({});
    return checkers;
  });
const keys = () => processWide("mcp.schemaKeys", () => new WeakMap<JsonObject, string>());
const checks = () => processWide("mcp.argumentChecks", () => new LRUCache<string, Check>({ max: maxChecksKept }));

/** Returns why a schema can never check arguments; null for a schema that works or may work later. */
export function schemaFault(schema: JsonObject): string | null {
  const check = checkOf(schema);
  return "fault" in check && !check.isPassing ? check.fault : null;
}

/**
 * Checks a call's arguments against a server's schema. Types are not coerced; missing required parameters get their
 * defaults, and an optional parameter that may not be null counts as absent when it is.
 */
export function checkArguments(toolName: string, schema: JsonObject, sent: JsonObject): ParsedArguments {
  const check = checkOf(schema);
  if ("fault" in check && check.isPassing)
    return { ok: false, message: `${toolName} cannot be called at this moment: ${check.fault} Send the call again.` };
  if ("fault" in check) return { ok: false, message: `${toolName} cannot be called: ${check.fault}` };
  const args = withRequiredDefaults(schema, sent);
  try {
    if (isValid(check, args)) return { ok: true, value: args };
    // The errors of the last validation are told, so the arguments as they were sent are validated last.
    const bare = withoutOptionalNulls(schema, args);
    if (bare && isValid(check, bare)) return { ok: true, value: bare };
    if (bare) isValid(check, args);
  } catch (error) {
    return {
      ok: false,
      message: `The arguments of ${toolName} could not be checked against its schema: ${toErrorMessage(error)}. Send fewer or simpler arguments.`,
    };
  }
  const sentences = sentencesOf(check.validate.errors ?? [], schema, args).join("; ");
  return {
    ok: false,
    message: `The arguments of ${toolName} do not fit its schema: ${sentences}. Send the call again with these corrected.`,
  };
}

function isValid({ validate, needsStopwatch }: Exclude<Check, { fault: string }>, value: JsonObject): boolean {
  return needsStopwatch ? runSyncWithTimeout(validateMilliseconds, () => validate(value)) : validate(value);
}

/** Leaves out optional parameters that are null, which models write for "absent"; null when there are none. */
function withoutOptionalNulls({ required }: JsonObject, args: JsonObject): JsonObject | null {
  const needed = Array.isArray(required) ? required : [];
  const kept = Object.entries(args).filter(([name, value]) => value !== null || needed.includes(name));
  return kept.length === Object.keys(args).length ? null : Object.fromEntries(kept);
}

/** Returns how a value differs from a schema, in sentences; null when it fits, or when the schema cannot be checked. */
export function describeMismatch(schema: JsonObject, value: JsonObject): string | null {
  const check = checkOf(schema);
  if ("fault" in check) return null;
  try {
    if (isValid(check, value)) return null;
  } catch {
    return null;
  }
  return sentencesOf(check.validate.errors ?? [], schema, value)
    .join("; ")
    .replaceAll("required param", "member");
}

function checkOf(schema: JsonObject): Check {
  const key = keyOf(schema);
  const check = checks().get(key) ?? compile(schema);
  if ("fault" in check && check.isPassing) return check;
  checks().set(key, check);
  return check;
}

/** Returns the hash of a schema. A tool keeps one schema object for life, so each schema is hashed only once. */
function keyOf(schema: JsonObject): string {
  const known = keys().get(schema);
  if (known) return known;
  const key = sha256(JSON.stringify(schema));
  keys().set(schema, key);
  return key;
}

function compile(schema: JsonObject): Check {
  const text = JSON.stringify(schema);
  const checkers = metaCheckers();
  const before = process.threadCpuUsage();
  try {
    // Without references and `uniqueItems`, the work is bounded by the size of the schema times that of the arguments.
    const needsStopwatch = text.length > harmlessSchemaCharacters || /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/.test(text);
    return { validate: runSyncWithTimeout(compileMilliseconds, () => compileInDialect(schema, checkers)), needsStopwatch };
  } catch (error) {
    const { user, system } = process.threadCpuUsage(before);
    if (isTimeUp(error) && (user + system) / 1_000 < compileMilliseconds / 2)
      return { fault: "this machine was too busy to compile its input schema.", isPassing: true };
    return { isPassing: false, fault: `its input schema does not compile (${cleanLine(toErrorMessage(error), 300)}).` };
  }
}

/** Recognises a timeout by its code, because the `vm` context of `runSyncWithTimeout` has another `Error` class. */
function isTimeUp(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === timeIsUp;
}

/** Compiles a schema as 2020-12, MCP's default, or as draft-07 when only draft-07 allows it (such as `items` as a list). */
function compileInDialect(schema: JsonObject, { draft2020, draft7 }: ReturnType<typeof metaCheckers>): ValidateFunction {
  // Each schema gets its own compiler: equal `$id`s of two servers must not collide, and an interrupted compiler is unusable.
  const own = { ...options, meta: false, validateSchema: false } as const;
  if (draft2020.validateSchema(schema)) return new Ajv2020(own).compile(schema);
  const why = draft2020.errorsText(draft2020.errors, { dataVar: "schema" });
  if (draft7.validateSchema(schema)) return new Ajv(own).compile(schema);
  throw new Error(why);
}

function sentencesOf(errors: readonly ErrorObject[], schema: JsonObject, args: JsonObject): string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter((name): name is string => typeof name === "string" && !Object.hasOwn(args, name));
  const others = errors.filter(({ keyword, instancePath }) => !(keyword === "required" && instancePath === ""));
  const sentences = [...missing.map((name) => `missing required param: ${name}`), ...others.map(sentenceOf)];
  return [...new Set(sentences)].slice(0, maxSentences).map((sentence) => cleanLine(sentence, 300));
}

function sentenceOf({ keyword, instancePath, params, message = "is not valid" }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  const inside = path ? `${path}.` : "";
  if (keyword === "required") return `missing required param: ${inside}${params.missingProperty}`;
  if (keyword === "additionalProperties") return `unexpected param: ${inside}${params.additionalProperty}`;
  if (keyword === "unevaluatedProperties") return `unexpected param: ${inside}${params.unevaluatedProperty}`;
  if (keyword === "enum") return `${path} must be one of ${JSON.stringify(params.allowedValues)}`;
  if (keyword === "const") return `${path} must be ${JSON.stringify(params.allowedValue)}`;
  return path ? `${path} ${message}` : `the arguments ${message}`;
}
