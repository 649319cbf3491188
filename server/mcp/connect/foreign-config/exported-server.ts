import type { ServerSettings } from "../settings/server-settings";

/** The part of a server that an export writes. */
export type ExportedServer = Pick<ServerSettings, "alias" | "transport" | "command" | "args" | "env" | "cwd" | "url" | "headers"> & {
  enabled: boolean;
  allowedTools: readonly string[] | null;
  callTimeoutSeconds: number;
  /** Version that the server reported; null before its first connection. */
  version: string | null;
};
