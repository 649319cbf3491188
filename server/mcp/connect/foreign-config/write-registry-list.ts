import type { JsonObject } from "@/contracts/common";
import { maskArguments, maskUrl } from "../settings/mask-settings";
import { isOnlyReference } from "../settings/secret-values";
import { cleanLine } from "../text/clean-text";
import type { ExportedServer } from "./exported-server";

const schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/** Namespace of exported names. The registry wants one, and publishing asks for an own one. */
const namespace = "com.example";
const unknownVersion = "0.0.0";
const secret = { isRequired: true, isSecret: true };

type Started = { registryType: string; runtimeHint: string; identifier: string; version?: string; rest: readonly string[] };

/** Writes servers as the MCP registry answers a list: a `server.json` each. Servers that no `server.json` can describe are named. */
export function writeRegistryList(servers: readonly ExportedServer[]): JsonObject {
  const leftOut: JsonObject[] = [];
  const entries = servers.flatMap((server): JsonObject[] => {
    const described = server.transport === "stdio" ? packageOf(server) : remoteOf(server);
    if ("reason" in described) {
      leftOut.push({ server: server.alias, reason: described.reason });
      return [];
    }
    const { version, ...offer } = described;
    const description = cleanLine(`MCP server ${server.alias}, as Handrail connects it`, 100);
    return [{ server: { $schema: schema, name: `${namespace}/${server.alias}`, description, version, ...offer } }];
  });
  return { servers: entries, metadata: { count: entries.length, ...(leftOut.length > 0 ? { leftOut } : {}) } };
}

type Described = { version: string; packages?: JsonObject[]; remotes?: JsonObject[] } | { reason: string };

function packageOf({ command, args, env, version }: ExportedServer): Described {
  const started = startedPackage(command ?? "", args);
  if (!started) return { reason: "Its program comes from no registry: start it with npx, uvx or docker run, and name a package." };
  const { identifier, registryType, runtimeHint, rest } = started;
  const variables = Object.keys(env).map((name) => ({ name, ...secret }));
  return {
    version: started.version ?? exactVersion(version),
    packages: [
      {
        registryType,
        identifier,
        ...(started.version ? { version: started.version } : {}),
        runtimeHint,
        transport: { type: "stdio" },
        ...(rest.length > 0 ? { packageArguments: argumentsOf(rest) } : {}),
        ...(variables.length > 0 ? { environmentVariables: variables } : {}),
      },
    ],
  };
}

/** Finds the package that a command starts; null for any other program. */
function startedPackage(command: string, args: readonly string[]): Started | null {
  const program = /([^\\/]*?)(?:\.(?:cmd|exe))?$/i.exec(command)?.[1];
  if (program === "npx") return npmPackage(args);
  if (program === "uvx") return pypiPackage(args);
  return program === "docker" && args[0] === "run" ? ociPackage(args.slice(1)) : null;
}

function npmPackage(args: readonly string[]): Started | null {
  const [first = "", ...rest] = args[0] === "-y" || args[0] === "--yes" ? args.slice(1) : args;
  const [, identifier, version] = /^((?:@[\w.-]+\/)?\w[\w.-]*)(?:@([\w.+-]+))?$/.exec(first) ?? [];
  return identifier ? { registryType: "npm", runtimeHint: "npx", identifier, ...exact(version), rest } : null;
}

function pypiPackage([first = "", ...rest]: readonly string[]): Started | null {
  const [, identifier, version] = /^(\w[\w.-]*)(?:(?:==|@)([\w.+-]+))?$/.exec(first) ?? [];
  return identifier ? { registryType: "pypi", runtimeHint: "uvx", identifier, ...exact(version), rest } : null;
}

/** Options with a value cannot be told from the image, so only `-i`, `--rm` and `-e NAME` may stand before it. */
function ociPackage(args: readonly string[]): Started | null {
  let at = 0;
  for (let arg = args[at]; arg === "-i" || arg === "--rm" || arg === "-e"; arg = args[at]) at += arg === "-e" ? 2 : 1;
  const [image = "", ...rest] = args.slice(at);
  return /^[a-z0-9][\w./:@-]*$/.test(image) ? { registryType: "oci", runtimeHint: "docker", identifier: image, rest } : null;
}

/** A tag such as `latest` is no version; a package without a version is the newest one. */
const exact = (version: string | undefined) => (version && /^\d/.test(version) ? { version } : {});

/** Writes arguments; one that holds a secret becomes an input that a person has to supply. */
function argumentsOf(args: readonly string[]): JsonObject[] {
  const masked = maskArguments([...args]);
  return args.map((value, index): JsonObject => {
    if (masked[index] === value && !isOnlyReference(value)) return { type: "positional", value };
    return { type: "positional", valueHint: `argument_${index + 1}`, ...secret };
  });
}

function remoteOf({ transport, url, headers, version }: ExportedServer): Described {
  const variables: JsonObject = {};
  // Any value of a query may be a key, and not every key looks like one.
  const address = (url ?? "").replace(/([?&])([^=&#]+)=([^&#]+)/g, (_whole, before: string, name: string) => {
    const variable = name.replace(/\W+/g, "_");
    variables[variable] = secret;
    return `${before}${name}={${variable}}`;
  });
  const fixed = address.replace(/\{\w+\}/g, "x");
  if (maskUrl(fixed) !== fixed || address.includes("${")) return { reason: "Its address holds a secret outside its query." };
  const inputs = Object.keys(headers).map((name) => ({ name, ...secret }));
  return {
    version: exactVersion(version),
    remotes: [
      {
        type: transport === "sse" ? "sse" : "streamable-http",
        url: address,
        ...(Object.keys(variables).length > 0 ? { variables } : {}),
        ...(inputs.length > 0 ? { headers: inputs } : {}),
      },
    ],
  };
}

const exactVersion = (version: string | null): string => (version && /^\d[\w.+-]{0,200}$/.test(version) ? version : unknownVersion);
