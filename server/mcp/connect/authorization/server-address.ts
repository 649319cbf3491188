import "server-only";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { resolveUrl } from "../settings/sealed-settings";
import { type McpServerRow, openUrl } from "../settings/server-settings";

/** The filled-in address of a server over HTTP. @throws AppError `invalid` */
export function serverAddress(row: Pick<McpServerRow, "alias" | "transport" | "urlSealed" | "url">): URL {
  const stored = row.transport === "stdio" ? null : openUrl(row);
  if (!stored) throw new AppError("invalid", `${row.alias} is a program on Handrail's machine, and nobody signs in to it.`);
  return new URL(resolveUrl(stored, process.env, env().mcpVariables));
}

/** The address without password, query and fragment, which an authorization server must not learn. */
export const withoutSecretParts = ({ origin, pathname }: URL): URL => new URL(pathname, origin);
