import "server-only";
import type { JsonObject } from "@/contracts/common";
import { type DataSource, type DataSourceDraft, dataSourceEndpoints, defaultPorts } from "@/contracts/tools/data-sources";
import { dataSources as dataSourceTable } from "@/db/schema";
import { seal } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { defineResource } from "@/server/resources/define-resource";
import type { DataSourceRow } from "./connections";
import { assertForeignFile } from "./engines/sqlite";

/**
 * Data sources, their passwords sealed. An update without a password keeps the stored one, and is refused where that would
 * send it to another server or user.
 */
export const dataSources = defineResource({
  table: dataSourceTable,
  endpoints: dataSourceEndpoints,
  noun: "data source",
  title: ({ name }) => `"${name}"`,
  present: (rows) => rows.map(present),
  inAudit,
  toColumns: ({ password, ...given }, { before }) => {
    const settings = kept(given);
    return { ...settings, passwordSealed: password ? seal(password) : password === undefined ? keptPassword(before, settings) : null };
  },
  noteUpdate: ({ password }) => ({ passwordChanged: password !== undefined }),
});

/** Converts a row to its public form, without the password. */
function present({ workspaceId: _, passwordSealed, createdAt, updatedAt, ...row }: DataSourceRow): DataSource {
  return { ...row, hasPassword: passwordSealed !== null, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Returns the sealed password that stays. @throws AppError `invalid` when it belongs to another server or user */
function keptPassword(before: DataSourceRow | null, settings: ReturnType<typeof kept>): string | null {
  if (settings.kind === "sqlite" || !before) return null;
  if (before.passwordSealed !== null && isElsewhere(before, settings)) throw needsPassword(before);
  return before.passwordSealed;
}

/** Completes the port and checks the file, before the row is written. */
function kept(settings: Omit<DataSourceDraft, "password">) {
  if (settings.kind === "sqlite") {
    assertForeignFile(settings.file);
    return { ...settings, port: null, sslMode: "disable" as const };
  }
  return { ...settings, port: settings.port ?? defaultPorts[settings.kind] };
}

type Place = Pick<DataSourceRow, "kind" | "host" | "port" | "username" | "sslMode">;

/** Returns true when the stored password would be sent to another server, as another user, or with weaker TLS. */
function isElsewhere(before: Place, after: Place): boolean {
  return (["kind", "host", "port", "username", "sslMode"] as const).some((member) => before[member] !== after[member]);
}

function inAudit({ name, kind, host, port, database, username, sslMode, file, enabled }: DataSourceRow): JsonObject {
  return { name, kind, ...(kind === "sqlite" ? { file } : { host, port, database, username, sslMode }), enabled };
}

const needsPassword = ({ username, host }: Place) => {
  const message = `is needed again, because the stored one belongs to ${username} at ${host}`;
  return new AppError("invalid", `The data source is not valid: password ${message}`, { errors: [{ path: "password", message }] });
};
