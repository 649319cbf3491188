import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const dataSourceKinds = ["postgresql", "mysql", "mariadb", "sqlite", "clickhouse"] as const;
export type DataSourceKind = (typeof dataSourceKinds)[number];

export const sslModes = ["disable", "require", "verify_full"] as const;
export type SslMode = (typeof sslModes)[number];

/** Ports of kinds that are servers, as their installers set them. */
export const defaultPorts: Readonly<Record<Exclude<DataSourceKind, "sqlite">, number>> = {
  postgresql: 5432,
  mysql: 3306,
  mariadb: 3306,
  clickhouse: 8123,
};

/** A text without line ends and other control characters. */
const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `at most ${most} characters`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what the field must not hold
    .regex(/^[^\u0000-\u001f\u007f]*$/, "must not hold line ends or other control characters");

const host = line(253).regex(
  /^(?:|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|[0-9a-f:.]*:[0-9a-f:.]+)$/i,
  "must be a host name or an IP address, without port and user",
);

const members = {
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,59}$/, "must begin with a letter and hold letters, digits, _ and - only, at most 60")
    .describe("The name that models and guard rules use."),
  kind: z.enum(dataSourceKinds),
  description: line(500).default("").describe("Tells models what the data source holds."),
  host: host.default("").describe("The server's host; empty for SQLite. Private hosts are allowed."),
  port: z.int().min(1).max(65_535).nullable().default(null).describe("Absent: the kind's usual port."),
  database: line(128).default("").describe("The database's name; empty for SQLite."),
  username: line(128).default("").describe("Give it a user that may only read."),
  sslMode: z.enum(sslModes).default("disable").describe("`require` encrypts; `verify_full` also checks the certificate and its host name."),
  file: line(1_000).default("").describe("SQLite: absolute path of the file on Handrail's machine, opened read-only."),
  enabled: z.boolean().default(true).describe("Disabled data sources are hidden from all agents."),
};

export const DataSourceDraft = z
  .strictObject({
    ...members,
    password: line(1_000)
      .optional()
      .describe("Stored encrypted and never answered. Absent in a change: the stored one stays, unless the server or user changes."),
  })
  .superRefine(({ kind, host, database, username, file }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (kind === "sqlite") {
      if (!/^(?:\/|[A-Za-z]:[\\/])./.test(file)) refuse("file", "needs the absolute path of a SQLite file");
      for (const [path, value] of Object.entries({ host, database, username }))
        if (value !== "") refuse(path, "must be empty, because SQLite is a file");
    } else {
      if (host === "") refuse("host", "needs a host");
      if (database === "") refuse("database", "needs the name of a database");
      if (username === "") refuse("username", "needs a user");
      if (file !== "") refuse("file", "must be empty, because only SQLite is a file");
    }
  })
  .meta({
    examples: [
      {
        name: "sales",
        kind: "postgresql",
        description: "Orders and customers of the shop",
        host: "db.internal",
        database: "sales",
        username: "reader",
        password: "your-password-here",
      },
    ],
  });
export type DataSourceDraft = z.infer<typeof DataSourceDraft>;

export const DataSource = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(dataSourceKinds),
    description: z.string(),
    host: z.string(),
    port: z.number().int().nullable().describe("Null for SQLite."),
    database: z.string(),
    username: z.string(),
    sslMode: z.enum(sslModes),
    file: z.string(),
    hasPassword: z.boolean(),
    enabled: z.boolean(),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "DataSource" });
export type DataSource = z.infer<typeof DataSource>;

export const DataSourceTest = z
  .object({
    success: z.boolean(),
    message: z.string().describe("What answered, or why nothing did and what to do."),
    durationMs: z.number().int(),
  })
  .meta({ id: "DataSourceTest" });
export type DataSourceTest = z.infer<typeof DataSourceTest>;

const params = z.object({ id: Id });

export const dataSourceEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/data-sources",
    summary: "Data sources of the workspace in the order of their creation, without their passwords",
    permission: "data:write",
    query: z.object(pageQuery),
    response: listOf(DataSource),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/data-sources",
    summary: "Add a database that agents may query",
    permission: "data:write",
    body: DataSourceDraft,
    response: DataSource,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/data-sources/{id}",
    summary: "One data source, without its password",
    permission: "data:write",
    params,
    response: DataSource,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/data-sources/{id}",
    summary: "Replace a data source; without `password` the stored one stays, and another server or user needs it again",
    headers: ["If-Match"],
    permission: "data:write",
    params,
    body: DataSourceDraft,
    response: DataSource,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/data-sources/{id}",
    summary: "Remove a data source",
    headers: ["If-Match"],
    permission: "data:write",
    params,
    response: Empty,
  }),
  test: endpoint({
    method: "POST",
    path: "/api/v1/data-sources/{id}/test",
    summary: "Connect to a data source, at most 5 seconds, and answer what came of it",
    permission: "data:write",
    params,
    response: DataSourceTest,
  }),
};

export const dataSourceContract = defineContract({
  reference: { name: "Data sources", description: "Databases that agents may read with `datasource` and `sql_query`." },
  glossary: {
    "data source": "A database that agents may read with `datasource` and `sql_query`; its password is sealed.",
  },
  endpoints: dataSourceEndpoints,
  permissions: { "data:write": "Add, change, test and remove data sources" },
  audit: {
    "data_source.created": "Data source created",
    "data_source.updated": "Data source updated",
    "data_source.removed": "Data source removed",
    "data_source.tested": "Data source tested",
  },
  navigation: { label: "Data sources", path: "/data-sources", icon: "IconDatabase", key: "b", group: "connections", after: "/mcp-servers" },
});
