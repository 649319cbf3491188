import type { Authorized } from "@/server/auth/actor";
import { canonicalJson } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import type { SettingsColumns } from "../settings/server-columns";

type Program = Pick<SettingsColumns, "transport" | "command" | "argsSealed" | "envSealed" | "cwd" | "network" | "allowedHosts">;

/**
 * Requires `mcp:run` for settings that start a program, unless the program is unchanged. A holder of `mcp:write` may still
 * enable or disable such a server, and change its tier, tools and time limits.
 * @throws AppError `forbidden`
 */
export function requireRunPermission(actor: Authorized<"mcp:write">, after: Program, before: Program | null): void {
  if (after.transport !== "stdio" || actor.permissions.has("mcp:run")) return;
  if (before && canonicalJson(programOf(before)) === canonicalJson(programOf(after))) return;
  const who = actor.type === "api_key" ? `the API key "${actor.name}" does not have` : "your role does not include";
  throw new AppError(
    "forbidden",
    `A stdio server is a program that Handrail starts on its machine, which needs mcp:run, and ${who} it. Ask an admin of the workspace, or add a server over HTTP.`,
  );
}

function programOf({ transport, command, argsSealed, envSealed, cwd, network, allowedHosts }: Program) {
  return { transport, command, argsSealed, envSealed, cwd, network, allowedHosts };
}
