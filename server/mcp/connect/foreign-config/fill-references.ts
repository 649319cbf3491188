import { referencesIn, type Variables, variableFault } from "../settings/secret-values";
import type { ForeignServer } from "./foreign-server";

/**
 * Settles references that Handrail's environment does not answer: what the server's own `env` defines is the server's to
 * fill in among its arguments, and is filled in here in headers and the address; what servers may not read is asked for, or has
 * its default.
 * @param listed HANDRAIL_MCP_VARIABLES
 */
export function fillReferences(given: ForeignServer, listed: readonly string[], variables: Variables = process.env): ForeignServer {
  const notes = [...given.notes];
  const server = withDefaults(given, { listed, variables, note: (sentence) => void notes.push(sentence) });
  const { settings } = server;
  const missing = new Set(server.missing);
  const own = settings.env;
  const isOwn = (variable: string) => Object.hasOwn(own, variable);
  const ask = (path: string, value: string): string => {
    // `$env:NAME` was written for Handrail, so that the name stays to be allowed.
    const unknown = referencesIn(value.replace(/\$env:\w+/g, "")).filter((variable) => variableFault(variable, listed) !== null);
    if (unknown.length === 0) return value;
    notes.push(`Type the value of ${path}: ${unknown.join(", ")} is known to the other program only.`);
    missing.add(path);
    return "";
  };
  const filled = (value: string): string =>
    value.replace(/\$\{(\w+)\}/g, (found, name: string) => (isOwn(name) ? (own[name] ?? "") : found));
  // Programs such as mcp-remote fill in `${NAME}` themselves, from the variables that they are started with.
  const escaped = (value: string): string =>
    value.replace(/(?<!\$)\$\{(\w+)\}/g, (found, name: string) => (isOwn(name) ? `$${found}` : found));
  const map = (place: string, values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, ask(`${place}.${name}`, value)]));
  const headers = Object.fromEntries(Object.entries(settings.headers).map(([name, value]) => [name, filled(value)]));
  return {
    ...server,
    settings: {
      ...settings,
      args: settings.args.map((value, index) => askArgument(escaped(value), (rest) => ask(`args.${index}`, rest))),
      env: map("env", own),
      headers: map("headers", headers),
      url: ask("url", filled(settings.url)),
    },
    notes,
    missing: [...missing],
  };
}

type Known = { listed: readonly string[]; variables: Variables; note: (sentence: string) => void };

/** Takes the default of a reference (`${PORT:-3000}`), unless the server's own `env` or Handrail's environment has the variable. */
function withDefaults(server: ForeignServer, { listed, variables, note }: Known): ForeignServer {
  const { settings } = server;
  const settle = (path: string, value: string): string =>
    value.replace(/\$\{(\w+):-([^}]*)\}/g, (_found, variable: string, otherwise: string) => {
      const isOwn = Object.hasOwn(settings.env, variable) && path !== `env.${variable}`;
      if (isOwn || (variables[variable] && variableFault(variable, listed) === null)) return `\${${variable}}`;
      note(`${path} has the default "${otherwise}" of ${variable}.`);
      return otherwise;
    });
  const map = (place: string, values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, settle(`${place}.${name}`, value)]));
  const { command, args, cwd, url, env, headers } = settings;
  const settled = {
    ...{ command: settle("command", command), cwd: settle("cwd", cwd), url: settle("url", url) },
    ...{ args: args.map((value, index) => settle(`args.${index}`, value)), env: map("env", env), headers: map("headers", headers) },
  };
  return { ...server, settings: { ...settings, ...settled } };
}

/** Asks about an argument's references without the escaped ones, which are none of ours. */
function askArgument(value: string, ask: (rest: string) => string): string {
  const rest = value.replace(/\$\$\{\w+\}/g, "");
  return ask(rest) === rest ? value : "";
}
