import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "@/contracts/common";
import { sha256 } from "@/server/platform/crypto";
import { messageOf } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import type { ParsedArguments } from "@/server/tools/define-tool";
import { cleanLine } from "./clean-text";
import { linearPattern } from "./linear-patterns";
import { withinMilliseconds } from "./within-milliseconds";

type Check =
  | { validate: ValidateFunction; needsStopwatch: boolean }
  /** `isPassing`: not the schema was slow but the machine; it is compiled again when somebody asks again. */
  | { fault: string; isPassing: boolean };

const maxChecksKept = 500;
const compileMilliseconds = 1_000;
/** The stopwatch's code. It counts the time of day, so a machine that gave us no processor looks like a slow schema. */
const timeIsUp = "ERR_SCRIPT_EXECUTION_TIMEOUT";
const validateMilliseconds = 250;
/** Up to this size of a schema without references, checking a request body of 1 MiB cannot take long. */
const harmlessSchemaCharacters = 8_192;
const maxSentences = 5;

const options: Options = {
  strict: false,
  // One mistake ends the check: a list of 100,000 wrong items must not become 100,000 errors.
  allErrors: false,
  // Formats are the server's business, as JSON Schema has it; ours would only add regular expressions.
  validateFormats: false,
  inlineRefs: false,
  coerceTypes: false,
  useDefaults: false,
  logger: false,
  code: { regExp: Object.assign(linearPattern, { code: "linearPattern" }) },
};

/** They compile themselves at their first use. That is done here, without a stopwatch: one stopped half way would stay broken. */
const metaCheckers = () =>
  processWide("mcp.metaSchemas", () => {
    const checkers = { draft2020: new Ajv2020(options), draft7: new Ajv(options) };
    for (const checker of Object.values(checkers)) checker.validateSchema({});
    return checkers;
  });
const keys = () => processWide("mcp.schemaKeys", () => new WeakMap<JsonObject, string>());
const checks = () => processWide("mcp.argumentChecks", () => new Map<string, Check>());

/** Why arguments could never be checked against a schema; null for a schema that works, or may work later. */
export function schemaFault(schema: JsonObject): string | null {
  const check = checkOf(schema);
  return "fault" in check && !check.isPassing ? check.fault : null;
}

/** Checks a call's arguments against a schema that somebody else wrote. Nothing is coerced or filled in. */
export function checkArguments(toolName: string, schema: JsonObject, args: JsonObject): ParsedArguments {
  const check = checkOf(schema);
  if ("fault" in check && check.isPassing)
    return { ok: false, message: `${toolName} cannot be called at this moment: ${check.fault} Send the call again.` };
  if ("fault" in check) return { ok: false, message: `${toolName} cannot be called: ${check.fault}` };
  try {
    const isValid = check.needsStopwatch ? withinMilliseconds(validateMilliseconds, () => check.validate(args)) : check.validate(args);
    if (isValid) return { ok: true, value: args };
  } catch (error) {
    return {
      ok: false,
      message: `The arguments of ${toolName} could not be checked against its schema: ${messageOf(error)}. Send fewer or simpler arguments.`,
    };
  }
  const sentences = sentencesOf(check.validate.errors ?? [], schema, args).join("; ");
  return {
    ok: false,
    message: `The arguments of ${toolName} do not fit its schema: ${sentences}. Send the call again with these corrected.`,
  };
}

function checkOf(schema: JsonObject): Check {
  const key = keyOf(schema);
  const check = checks().get(key) ?? compile(schema);
  if ("fault" in check && check.isPassing) return check;
  // Taken out and put back at the end: the first entry is the one not used for longest.
  checks().delete(key);
  checks().set(key, check);
  const [oldest] = checks().keys();
  if (checks().size > maxChecksKept && oldest) checks().delete(oldest);
  return check;
}

/** A tool's schema is one object for as long as the tool lives, so it is hashed once and not at each call. */
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
    // Without references and repeated comparison, the work is bounded by the size of the schema times the arguments.
    const needsStopwatch = text.length > harmlessSchemaCharacters || /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/.test(text);
    return { validate: withinMilliseconds(compileMilliseconds, () => compileInDialect(schema, checkers)), needsStopwatch };
  } catch (error) {
    const { user, system } = process.threadCpuUsage(before);
    if (isTimeUp(error) && (user + system) / 1_000 < compileMilliseconds / 2)
      return { fault: "this machine was too busy to compile its input schema.", isPassing: true };
    return { isPassing: false, fault: `its input schema does not compile (${cleanLine(messageOf(error), 300)}).` };
  }
}

/** The error is made in the stopwatch's own context, where `Error` is another class. */
function isTimeUp(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === timeIsUp;
}

/** 2020-12 is MCP's default; what only the older drafts allow (such as `items` as a list) is read as draft-07. */
function compileInDialect(schema: JsonObject, { draft2020, draft7 }: ReturnType<typeof metaCheckers>): ValidateFunction {
  // A compiler of its own for each schema: an `$id` must not meet another server's, and an interrupted one is thrown away.
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
