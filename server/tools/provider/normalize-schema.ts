import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { ProviderRules } from "./provider-rules";

/** A schema that a provider accepts, and what was changed for it; `refusal` says why no such schema exists. */
export type NormalizedSchema = { schema: JsonObject; changes: string[]; refusal: string | null };

type Walk = { rules: ProviderRules; root: JsonObject; changes: Set<string>; refusal: string | null };

const deepest = 12;
const jsonTypes = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
/** Type names of other languages that servers write in place of those of JSON Schema. */
const foreignTypes: Readonly<Record<string, string>> = {
  int: "integer",
  long: "integer",
  float: "number",
  double: "number",
  str: "string",
  text: "string",
  bool: "boolean",
  list: "array",
  tuple: "array",
  dict: "object",
  map: "object",
  none: "null",
};
const annotations = ["$schema", "$id", "$comment", "$anchor", "id"];
const alternatives = ["anyOf", "oneOf", "allOf"] as const;

/** Rewrites a tool's schema into the part of JSON Schema that a provider accepts. The meaning only ever gets wider. */
export function normalizeSchema(schema: JsonObject, rules: ProviderRules): NormalizedSchema {
  const walk: Walk = { rules, root: schema, changes: new Set(), refusal: null };
  const merged = mergeTopLevel(schema, walk);
  if (merged.type !== undefined && merged.type !== "object") {
    return { schema, changes: [], refusal: `its arguments are of type ${JSON.stringify(merged.type)}, and a function takes an object` };
  }
  const rewritten = rewrite({ ...merged, type: "object" }, walk, "", 0);
  if (!isJsonObject(rewritten.properties)) rewritten.properties = {};
  return { schema: rewritten, changes: [...walk.changes], refusal: walk.refusal };
}

/** Replaces alternatives at the top by one object, because providers take a plain object there. */
function mergeTopLevel(schema: JsonObject, walk: Walk): JsonObject {
  const branches = alternatives.flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? schema[keyword].map((branch) => ({ keyword, branch: resolve(branch, walk) })) : [],
  );
  const target = typeof schema.$ref === "string" ? { ...schema, ...resolve(schema, walk) } : { ...schema };
  delete target.$ref;
  for (const keyword of ["enum", "not", "if", "then", "else"]) delete target[keyword];
  if (branches.length === 0) return target;
  const properties: JsonObject = isJsonObject(target.properties) ? { ...target.properties } : {};
  const required = new Set(stringsOf(target.required));
  const optional: string[][] = [];
  for (const { keyword, branch } of branches) {
    if (isJsonObject(branch.properties)) for (const [name, value] of Object.entries(branch.properties)) properties[name] ??= value;
    if (keyword === "allOf") for (const name of stringsOf(branch.required)) required.add(name);
    else optional.push(stringsOf(branch.required));
  }
  // A member is required when every alternative requires it.
  for (const name of optional[0] ?? []) if (optional.every((names) => names.includes(name))) required.add(name);
  for (const keyword of alternatives) delete target[keyword];
  walk.changes.add("Alternatives at the top became one object with the properties of all.");
  return { ...target, type: "object", properties, ...(required.size > 0 ? { required: [...required] } : {}) };
}

function rewrite(value: Json, walk: Walk, place: string, depth: number): JsonObject {
  // `true` allows every value, and so does an empty schema.
  if (!isJsonObject(value) || depth > deepest) return {};
  const schema = { ...(walk.rules.inlinesReferences ? resolve(value, walk) : value) };
  for (const keyword of annotations) if (typeof schema[keyword] !== "object") delete schema[keyword];
  fixType(schema, walk, place);
  fixBounds(schema, walk, place);
  fixArray(schema, walk, place);
  if (isJsonObject(schema.properties)) fixProperties(schema, schema.properties, walk, place, depth);
  if (isJsonObject(schema.items)) schema.items = rewrite(schema.items, walk, `${place}[]`, depth + 1);
  if (isJsonObject(schema.additionalProperties)) schema.additionalProperties = rewrite(schema.additionalProperties, walk, place, depth + 1);
  for (const keyword of [...alternatives, "prefixItems"]) {
    const branches = schema[keyword];
    if (Array.isArray(branches)) schema[keyword] = branches.map((branch) => rewrite(branch, walk, place, depth + 1));
  }
  for (const keyword of ["$defs", "definitions"]) {
    const known = schema[keyword];
    if (!isJsonObject(known)) continue;
    if (walk.rules.inlinesReferences) delete schema[keyword];
    else schema[keyword] = Object.fromEntries(Object.entries(known).map(([name, one]) => [name, rewrite(one, walk, place, depth + 1)]));
  }
  return walk.rules.keywords === null ? schema : keepKnown(schema, walk.rules.keywords, walk, place);
}

function fixType(schema: JsonObject, walk: Walk, place: string): void {
  const { type } = schema;
  if (type === undefined) return;
  const written = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  const known = [
    ...new Set(written.map((one) => foreignTypes[one.toLowerCase()] ?? one.toLowerCase()).filter((one) => jsonTypes.has(one))),
  ];
  const [only] = known;
  if (only === undefined) {
    delete schema.type;
    note(walk, place, `has no type now, because ${JSON.stringify(type)} is none`);
  } else if (known.length === 1) {
    schema.type = only;
    if (type !== only) note(walk, place, `has the type ${only}`);
  } else if (walk.rules.allowsTypeLists) {
    schema.type = known;
  } else {
    delete schema.type;
    // Items and properties belong to one of the types each.
    const { items, properties, required, ...rest } = schema;
    for (const keyword of ["items", "properties", "required"]) delete schema[keyword];
    schema.anyOf = known.map((one) => ({
      type: one,
      ...(one === "array" ? { items: items ?? {} } : {}),
      ...(one === "object" && properties !== undefined ? { properties, ...(required === undefined ? {} : { required }) } : {}),
    }));
    if (rest.enum !== undefined) delete schema.enum;
    note(walk, place, "takes one of several types");
  }
}

/** In draft 4 `exclusiveMinimum` is a flag beside `minimum`; today it is the bound. */
function fixBounds(schema: JsonObject, walk: Walk, place: string): void {
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const flag = schema[exclusive];
    if (typeof flag !== "boolean") continue;
    delete schema[exclusive];
    const limit = schema[bound];
    if (flag && typeof limit === "number") {
      schema[exclusive] = limit;
      delete schema[bound];
    }
    note(walk, place, `has ${exclusive} as a number`);
  }
}

function fixArray(schema: JsonObject, walk: Walk, place: string): void {
  const isArray = schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"));
  if (!isArray) return;
  if (Array.isArray(schema.items)) {
    const [first] = schema.items;
    schema.items = schema.items.length === 1 && first !== undefined ? first : {};
    note(walk, place, "has one schema for all items");
  }
  if (isJsonObject(schema.items)) {
    if (Object.keys(schema.items).length > 0 || !walk.rules.itemsNeedType) return;
  } else note(walk, place, "got items, because an array must say what it holds");
  schema.items = walk.rules.itemsNeedType ? { type: "string" } : {};
}

function fixProperties(schema: JsonObject, properties: JsonObject, walk: Walk, place: string, depth: number): void {
  const required = stringsOf(schema.required);
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(properties)) {
    const at = place ? `${place}.${name}` : name;
    if (value === false) continue;
    if (walk.rules.propertyName.test(name)) {
      kept[name] = rewrite(value, walk, at, depth + 1);
    } else if (required.includes(name)) {
      walk.refusal ??= `its required argument "${name.slice(0, 100)}" has a name that ${walk.rules.title} refuses`;
    } else note(walk, at, `is left out, because ${walk.rules.title} refuses its name`);
  }
  schema.properties = kept;
  delete schema.required;
  const defined = required.filter((name) => Object.hasOwn(kept, name));
  if (defined.length > 0) schema.required = [...new Set(defined)];
  if (defined.length < required.length) note(walk, place, "requires only arguments that exist");
}

function keepKnown(schema: JsonObject, keywords: ReadonlySet<string>, walk: Walk, place: string): JsonObject {
  if (schema.const !== undefined) schema.enum = [schema.const];
  if (Array.isArray(schema.allOf)) Object.assign(schema, ...schema.allOf.filter(isJsonObject).toReversed(), schema);
  const { formats } = walk.rules;
  if (formats !== null && typeof schema.format === "string" && !formats.has(schema.format)) delete schema.format;
  const dropped = Object.keys(schema).filter((keyword) => !keywords.has(keyword));
  for (const keyword of dropped) if (keyword !== "const" && keyword !== "default") note(walk, place, `lost ${keyword.slice(0, 60)}`);
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.has(keyword)));
}

/** Follows a local reference; one that leads nowhere, or back to itself, allows every value. */
function resolve(value: Json, walk: Walk): JsonObject {
  let found = isJsonObject(value) ? value : {};
  for (let hops = 0; typeof found.$ref === "string"; hops += 1) {
    if (hops >= deepest) return {};
    const { $ref: reference, ...beside } = found;
    let target: Json | undefined = walk.root;
    for (const part of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    found = isJsonObject(target) ? { ...target, ...beside } : beside;
  }
  return found;
}

const stringsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);

function note({ changes }: Walk, place: string, what: string): void {
  changes.add(`${place === "" ? "The schema" : place.slice(0, 100)} ${what}.`);
}
