import type { Authorized } from "@/server/auth/actor";
import { canonicalJson } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import type { SettingsColumns } from "../settings/server-columns";

type Program = Pick<
  SettingsColumns,
  "transport" | "command" | "argsSealed" | "envSealed" | "cwd" | "network" | "allowedHosts" | "readablePaths" | "outsideSandbox"
>;

/**
 * Requires `mcp:run` for settings that start a program, and an owner for a program outside the sandbox, unless the program is
 * unchanged. A holder of `mcp:write` may still enable or disable such a server, and change its tier, tools and time limits.
 * @throws AppError `forbidden`
 */
export function requireRunPermission(actor: Authorized<"mcp:write">, after: Program, before: Program | null): void {
  if (after.transport !== "stdio") return;
  if (before && canonicalJson(programOf(before)) === canonicalJson(programOf(after))) return;
  if (!actor.permissions.has("mcp:run")) {
    const who = actor.type === "api_key" ? `the API key "${actor.name}" does not have` : "your role does not include";
    throw new AppError(
      "forbidden",
      `A stdio server is a program that Handrail starts on its machine, which needs mcp:run, and ${who} it. Ask an admin of the workspace, or add a server over HTTP.`,
    );
  }
  if (after.outsideSandbox && actor.role !== "owner") {
    throw new AppError(
      "forbidden",
      "outsideSandbox: outside the sandbox the program has all rights of Handrail's user, so only an owner of the workspace can start or change it there.",
    );
  }
}

function programOf({ transport, command, argsSealed, envSealed, cwd, network, allowedHosts, readablePaths, outsideSandbox }: Program) {
  return { transport, command, argsSealed, envSealed, cwd, network, allowedHosts, readablePaths, outsideSandbox };
}
