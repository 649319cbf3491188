import "server-only";
import { eq } from "drizzle-orm";
import type { McpServerImport, McpServerImported } from "@/contracts/mcp/mcp-imports";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { mcpServers } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { AppError, isAppError } from "@/server/platform/errors";
import { fieldErrors } from "@/server/platform/field-errors";
import { createServer } from "../servers/create-server";
import { requireRunPermission } from "../servers/require-run-permission";
import { toServerColumns } from "../settings/server-columns";
import { fillReferences } from "./fill-references";
import type { ForeignServer, ForeignSettings } from "./foreign-server";
import { readConfig } from "./read-config";

/**
 * Imports the servers of another program's configuration. Each server is added by itself, so that one that cannot be
 * added does not stop the others; with `dryRun` nothing is added.
 * @throws AppError `invalid` when the configuration cannot be read
 */
export async function importServers(actor: Authorized<"mcp:write">, asked: McpServerImport): Promise<McpServerImported> {
  const found = readConfig(asked.config).map((server) => fillReferences(server, env().mcpVariables));
  const rows = await db().select({ alias: mcpServers.alias }).from(mcpServers).where(eq(mcpServers.workspaceId, actor.workspaceId));
  const aliases = new Set(rows.map(({ alias }) => alias));
  const chosen = asked.servers ? new Set(asked.servers) : null;
  const servers: McpServerImported["servers"] = [];
  for (const foreign of found) {
    const server = withValues(foreign, asked.values[foreign.name] ?? {}, asked.tier);
    const judged = judge(actor, server, aliases);
    const described = { name: server.name, settings: server.settings, notes: server.notes, missing: server.missing };
    const isChosen = chosen === null || chosen.has(foreign.name);
    if (judged.status === "ready") aliases.add(server.settings.alias);
    const outcome = asked.dryRun || !isChosen || !judged.draft ? judged : await add(actor, judged.draft);
    servers.push({ ...described, status: outcome.status, reason: outcome.reason, id: "id" in outcome ? (outcome.id ?? null) : null });
  }
  return { servers };
}

type Judged = { status: McpServerImported["servers"][number]["status"]; reason: string | null; draft?: McpServerDraft; id?: string };

/** Tells whether a server can be added as it is, without adding it. */
function judge(actor: Authorized<"mcp:write">, { settings, missing }: ForeignServer, aliases: ReadonlySet<string>): Judged {
  if (missing.length > 0) return { status: "needs_value", reason: `Type the value of ${missing.join(", ")}.` };
  if (aliases.has(settings.alias)) return { status: "exists", reason: `A server named ${settings.alias} exists already.` };
  const { command, cwd, url, ...rest } = settings;
  const parsed = McpServerDraft.safeParse({ ...rest, command: command || null, cwd: cwd || null, url: url || null });
  if (!parsed.success) {
    const [first] = fieldErrors(parsed.error);
    return { status: "invalid", reason: `${first?.path}: ${first?.message}` };
  }
  try {
    requireRunPermission(actor, toServerColumns(parsed.data, null), null);
    return { status: "ready", reason: null, draft: parsed.data };
  } catch (error) {
    return refusalOf(error);
  }
}

async function add(actor: Authorized<"mcp:write">, draft: McpServerDraft): Promise<Judged> {
  try {
    const { id } = await createServer(actor, draft);
    return { status: "added", reason: null, id };
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Judged {
  if (!isAppError(error)) throw error;
  return { status: error.code === "forbidden" ? "forbidden" : "invalid", reason: error.message };
}

/** Fills in the values that a person supplied, by their paths. @throws AppError `invalid` for a path that no value has */
function withValues(server: ForeignServer, values: Readonly<Record<string, string>>, tier: McpServerDraft["tier"]): ForeignServer {
  const settings: ForeignSettings = { ...server.settings, tier, args: [...server.settings.args] };
  for (const [path, value] of Object.entries(values)) {
    const [, place = path, name = ""] = /^(env|headers|args)\.(.+)$/s.exec(path) ?? [];
    if (place === "env" || place === "headers") settings[place] = { ...settings[place], [name]: value };
    else if (place === "args" && /^\d{1,3}$/.test(name) && Number(name) < settings.args.length) settings.args[Number(name)] = value;
    else if (place === "alias" || place === "command" || place === "cwd" || place === "url") settings[place] = value;
    else {
      const message = "is no value of a server: send alias, command, cwd, url, env.NAME, headers.NAME or args.0";
      throw new AppError("invalid", `values.${server.name}.${path} ${message}`, {
        errors: [{ path: `values.${server.name}.${path}`, message }],
      });
    }
  }
  return { ...server, settings, missing: server.missing.filter((path) => !Object.hasOwn(values, path) || values[path] === "") };
}
