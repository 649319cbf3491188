import { z } from "zod";
import { emptyServer, type ForeignServer, takeValue, transportAt, withScheme } from "./foreign-server";
import { localProgram, type Program } from "./local-program";
import { splitCommand } from "./split-command";
import { shellLineNote, splitWords } from "./split-words";

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
/** A value of null is one that the other program's user has to fill in. */
const values = z.record(
  z.string(),
  scalar.nullable().transform((value) => value ?? ""),
);
const known = {
  type: z.string().optional(),
  transport: z.string().optional(),
  /** opencode keeps the program and its arguments in one list, earlier versions of Zed in an object. */
  command: z
    .union([z.string(), z.array(scalar), z.object({ path: z.string(), args: z.array(scalar).optional(), env: values.nullish() })])
    .optional(),
  args: z.union([z.string().transform(splitWords), z.array(scalar)]).nullish(),
  env: values.nullish(),
  cwd: z.string().nullish(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  /** Address in configurations of Gemini CLI. */
  httpUrl: z.string().optional(),
  headers: values.nullish(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  /** Milliseconds. */
  timeout: z.number().optional(),
  includeTools: z.array(z.string()).optional(),
  excludeTools: z.array(z.string()).optional(),
};
const Configured = z.object(known).loose();
/** Members without a meaning here, dropped without a note. */
const meaningless = new Set(["name", "description", "source", "gallery", "version", "$schema"]);

/** Reads one server in the form that most programs share. */
export function readServer(name: string, json: unknown): ForeignServer {
  const { data: configured, error } = Configured.safeParse(json);
  const server = emptyServer(name);
  const address = configured?.httpUrl ?? configured?.url ?? configured?.serverUrl;
  if (!configured || (!configured.command && !address)) {
    const place = error?.issues[0]?.path.join(".");
    server.notes.push(place ? `"${place}" was not understood.` : "It has neither a command nor a URL.");
    return server;
  }
  const program = localProgram(programOf(configured, server), (sentence) => void server.notes.push(sentence));
  const map = (place: string, given: Record<string, string> | null | undefined) =>
    Object.fromEntries(Object.entries(given ?? {}).map(([key, value]) => [key, takeValue(server, `${place}.${key}`, value)]));
  const take = (path: string, value: string) => takeValue(server, path, value);
  server.settings = {
    ...server.settings,
    transport: address === undefined ? "stdio" : transportAt((configured.type ?? configured.transport ?? "").toLowerCase(), address),
    command: take("command", program.path),
    args: (program.args ?? []).map((arg, index) => take(`args.${index}`, arg)),
    env: map("env", program.env),
    cwd: take("cwd", configured.cwd ?? ""),
    url: take("url", withScheme(address ?? "")),
    headers: map("headers", configured.headers),
    enabled: configured.disabled !== true && configured.enabled !== false,
    allowedTools: configured.includeTools ?? null,
    excludedTools: configured.excludeTools ?? [],
    ...(configured.timeout ? { callTimeoutSeconds: secondsOf(configured.timeout) } : {}),
  };
  if (!server.settings.enabled) server.notes.push("It is disabled in the configuration, so it is added disabled.");
  const left = Object.keys(configured).filter((member) => !Object.hasOwn(known, member) && !meaningless.has(member));
  if (left.length > 0) server.notes.push(`Not taken over: ${left.join(", ").slice(0, 500)}.`);
  return server;
}

/** Finds the program in a list, in an object, or in one text with its arguments. */
function programOf({ command, args, env }: z.infer<typeof Configured>, server: ForeignServer): Program {
  const given = args ?? [];
  if (Array.isArray(command)) return { path: command[0] ?? "", args: [...command.slice(1), ...given], env };
  if (typeof command === "object") return command;
  const split = splitCommand(command ?? "", { hasArgs: given.length > 0 });
  if (split.isShellLine) {
    server.notes.push(shellLineNote);
    return { path: "", args: given, env };
  }
  return { path: split.command, args: [...split.args, ...given], env: { ...Object.fromEntries(split.env), ...env } };
}

/** Converts a timeout to seconds: most programs use milliseconds, so only a small number is already in seconds. */
function secondsOf(timeout: number): number {
  return Math.min(300, Math.max(1, Math.round(timeout >= 1_000 ? timeout / 1_000 : timeout)));
}
