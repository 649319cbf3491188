import { isJsonObject } from "@/contracts/lib/is-json-object";

/** A reference in the form of each program: `${NAME}`, `${input:NAME}`, `${env:NAME}`. */
const reference = /(?<!\$)\$\{(?:input:|env:)?([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Returns the names of the values that an exported configuration leaves out, each once, in its order. */
export const leftReferences = (config: unknown): string[] => [
  ...new Set([...[...JSON.stringify(config).matchAll(reference)].map(([, name = ""]) => name), ...secretInputs(config)]),
];

/** Returns the names of the inputs that a `server.json` calls secret. */
function secretInputs(value: unknown, name = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => secretInputs(item));
  if (!isJsonObject(value)) return [];
  if (value.isSecret === true) return [[value.name, value.valueHint, name].find((word) => typeof word === "string") as string];
  return Object.entries(value).flatMap(([member, inner]) => secretInputs(inner, member));
}

/** Returns the servers that an exported list leaves out, with the reason. */
export function leftServers(config: unknown): { server: string; reason: string }[] {
  const left = isJsonObject(config) && isJsonObject(config.metadata) ? config.metadata.leftOut : [];
  if (!Array.isArray(left)) return [];
  return left.filter(isJsonObject).map(({ server, reason }) => ({ server: String(server), reason: String(reason) }));
}
