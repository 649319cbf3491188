import { z } from "zod";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { emptyServer, type ForeignServer, takeValue, transportAt } from "./foreign-server";

const words = z.string().optional().catch(undefined);
const Input = z.object({
  type: words,
  name: words,
  value: words,
  default: z.union([z.string(), z.number(), z.boolean()]).transform(String).optional().catch(undefined),
  description: words,
  isRequired: z.boolean().optional().catch(undefined),
  isSecret: z.boolean().optional().catch(undefined),
});
type Input = z.infer<typeof Input>;
const inputs = z.array(Input).optional().catch(undefined);
const Package = z.object({
  registryType: words,
  identifier: z.string(),
  version: words,
  runtimeArguments: inputs,
  packageArguments: inputs,
  environmentVariables: inputs,
});
const Remote = z.object({
  type: words,
  url: z.string(),
  headers: inputs,
  variables: z.record(z.string(), Input).optional().catch(undefined),
});
const RegistryServer = z.object({
  name: z.string(),
  packages: z.array(z.unknown()).default([]),
  remotes: z.array(z.unknown()).default([]),
});
type RegistryServer = z.infer<typeof RegistryServer>;

/** Programs that start a package of each registry. */
const starters: Record<string, (identifier: string, version: string | undefined) => { command: string; args: string[] }> = {
  npm: (identifier, version) => ({ command: "npx", args: ["-y", version ? `${identifier}@${version}` : identifier] }),
  pypi: (identifier, version) => ({ command: "uvx", args: [version ? `${identifier}==${version}` : identifier] }),
  oci: (identifier, version) => ({
    command: "docker",
    args: ["run", "-i", "--rm", version && !/:[^/]+$/.test(identifier) ? `${identifier}:${version}` : identifier],
  }),
};

function registryServerIn(json: unknown): RegistryServer | null {
  const inner = isJsonObject(json) && isJsonObject(json.server) ? json.server : json;
  if (!isJsonObject(inner) || (!Array.isArray(inner.packages) && !Array.isArray(inner.remotes))) return null;
  return RegistryServer.safeParse(inner).data ?? null;
}

/** Tells whether JSON is a `server.json` of the MCP registry, also wrapped as the registry's API answers it. */
export const isRegistryServer = (json: unknown): boolean => registryServerIn(json) !== null;

/** Returns the entries of a list as the registry's API answers it, a `server.json` each; null for anything else. */
export function registryListIn(json: unknown): unknown[] | null {
  const entries = isJsonObject(json) && Array.isArray(json.servers) ? json.servers : [];
  return entries.length > 0 && entries.every(isRegistryServer) ? entries : null;
}

/** Reads a `server.json`: its first remote server, else its first package that a program here can start. */
export function readRegistryServer(json: unknown): ForeignServer {
  const found = registryServerIn(json) ?? { name: "", packages: [], remotes: [] };
  const server = emptyServer(found.name.split("/").at(-1) ?? "");
  const [remote, ...otherRemotes] = found.remotes.flatMap((value) => Remote.safeParse(value).data ?? []);
  const packages = found.packages.flatMap((value) => Package.safeParse(value).data ?? []);
  const starting = packages.find(({ registryType = "" }) => Object.hasOwn(starters, registryType));
  const others = [
    ...otherRemotes.map(({ url }) => url),
    ...packages.filter((one) => remote || one !== starting).map(({ identifier }) => identifier),
  ];
  if (remote) {
    Object.assign(server.settings, {
      transport: transportAt(remote.type ?? "", remote.url),
      url: addressOf(server, remote),
      headers: valuesOf(server, "headers", remote.headers),
    });
  } else if (starting) {
    const { command, args } = starters[starting.registryType ?? ""]?.(starting.identifier, starting.version) ?? { command: "", args: [] };
    const before = argumentsOf(server, starting.runtimeArguments, 0);
    const env = valuesOf(server, "env", starting.environmentVariables);
    // A container sees only the variables that its command line names.
    const passed = command === "docker" ? Object.keys(env).flatMap((name) => ["-e", name]) : [];
    const started = [...args.slice(0, -1), ...passed, ...args.slice(-1)];
    const after = argumentsOf(server, starting.packageArguments, before.length + started.length);
    Object.assign(server.settings, { transport: "stdio", command, args: [...before, ...started, ...after], env });
    if (command === "docker") server.notes.push("It runs in Docker, which the sandbox does not reach.");
  } else server.notes.push("It offers neither a remote server nor a package of npm, PyPI or OCI.");
  if (others.length > 0) server.notes.push(`Also offered: ${others.join(", ").slice(0, 500)}.`);
  return server;
}

/** Fills the variables of an address that have a value; one with others has to be completed by a person. */
function addressOf(server: ForeignServer, { url, variables = {} }: z.infer<typeof Remote>): string {
  const filled = url.replace(/\{(\w+)\}/g, (found, name: string) => {
    const known = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return known?.value ?? known?.default ?? found;
  });
  const open = /\{\w+\}/.exec(filled)?.[0];
  if (open === undefined) return takeValue(server, "url", filled);
  server.missing.push("url");
  server.notes.push(`Type the address: ${open} in it stands for a value of yours.`);
  return filled;
}

function valuesOf(server: ForeignServer, place: "env" | "headers", given: readonly Input[] | undefined): Record<string, string> {
  const entries = (given ?? []).flatMap((input): [string, string][] => {
    const { name, isRequired, isSecret, description } = input;
    if (!name) return [];
    const value = input.value ?? input.default;
    const isOpen = value === undefined || /\{\w+\}/.test(value);
    if (!isOpen) return [[name, takeValue(server, `${place}.${name}`, value)]];
    if (!isRequired && !isSecret) {
      server.notes.push(`${name} is left out, because it is optional${description ? `: ${description.slice(0, 200)}` : "."}`);
      return [];
    }
    server.missing.push(`${place}.${name}`);
    server.notes.push(`Type the value of ${place}.${name}${description ? `: ${description.slice(0, 200)}` : "."}`);
    return [[name, ""]];
  });
  return Object.fromEntries(entries);
}

function argumentsOf(server: ForeignServer, given: readonly Input[] | undefined, offset: number): string[] {
  const args: string[] = [];
  for (const { type, name, value, default: otherwise, isRequired, description } of given ?? []) {
    const filled = value ?? otherwise;
    const isOpen = filled !== undefined && /\{\w+\}/.test(filled);
    if (filled === undefined && !isRequired && type !== "named") continue;
    if (type === "named" && name) {
      if (filled === undefined && !isRequired && value === undefined) continue;
      args.push(name);
    }
    if (filled !== undefined && !isOpen) args.push(filled);
    else if (isRequired || isOpen) {
      const path = `args.${offset + args.length}`;
      server.missing.push(path);
      server.notes.push(`Type the value of ${path}${description ? `: ${description.slice(0, 200)}` : "."}`);
      args.push("");
    }
  }
  return args;
}
