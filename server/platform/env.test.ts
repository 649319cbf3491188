import path from "node:path";
import { expect, test } from "vitest";
import { parseEnv } from "./env";

test("with nothing set, everything has a default that works on one machine", () => {
  expect(parseEnv({})).toMatchObject({
    port: 3_000,
    databaseUrl: null,
    dataDir: path.resolve(".data"),
    workspaceRoot: path.resolve(".data/workspaces"),
    policyFile: null,
    role: "all",
    secretKey: null,
    publicUrl: "http://localhost:3000",
    admin: { email: "admin@example.com", password: null },
    oidc: null,
  });
});

test("an empty variable is one that nobody set", () => {
  expect(parseEnv({ PORT: "", DATABASE_URL: "", HANDRAIL_ROLE: "" })).toEqual(parseEnv({}));
});

test("a default that depends on another setting follows it", () => {
  const env = parseEnv({ PORT: "8080", HANDRAIL_DATA_DIR: "/srv/handrail", HANDRAIL_ADMIN_EMAIL: "Ada@Example.com" });
  expect(env.publicUrl).toBe("http://localhost:8080");
  expect(env.workspaceRoot).toBe("/srv/handrail/workspaces");
  expect(env.admin.email).toBe("ada@example.com");
  expect(parseEnv({ HANDRAIL_PUBLIC_URL: "https://handrail.example.com/" }).publicUrl).toBe("https://handrail.example.com");
});

test.each([
  ["PORT", "http"],
  ["PORT", "0"],
  ["PORT", "65536"],
  ["PORT", "3e3"],
  ["PORT", "-1"],
  ["DATABASE_URL", "localhost:5432/handrail"],
  ["DATABASE_URL", "mysql://localhost/handrail"],
  ["HANDRAIL_ROLE", "boss"],
  ["HANDRAIL_SECRET_KEY", "short"],
  ["HANDRAIL_SANDBOX", "maybe"],
  ["HANDRAIL_SANDBOX_READ_ONLY", "/opt:relative"],
  ["HANDRAIL_SANDBOX_MEMORY_MB", "1"],
  ["HANDRAIL_SANDBOX_PROCESSES", "many"],
  ["HANDRAIL_DATA_DIR", "   "],
  ["HANDRAIL_WORKSPACE_ROOT", "   "],
  ["HANDRAIL_PUBLIC_URL", "handrail.example.com"],
  ["HANDRAIL_PUBLIC_URL", "ftp://handrail.example.com"],
  ["HANDRAIL_ADMIN_EMAIL", "admin"],
  ["HANDRAIL_ADMIN_PASSWORD", "short"],
  ["HANDRAIL_LOG_LEVEL", "loud"],
  ["HANDRAIL_TRUSTED_PROXIES", "11"],
  ["HANDRAIL_TRUSTED_PROXIES", "one"],
  ["HANDRAIL_OIDC_ISSUER", "not a url"],
  ["HANDRAIL_BLOBS_DIR", "   "],
  ["HANDRAIL_BLOBS_S3_ENDPOINT", "minio:9000"],
  ["HANDRAIL_BLOBS_S3_REGION", "somewhere else"],
  ["HANDRAIL_BLOBS_S3_BUCKET", "../other"],
  ["HANDRAIL_BLOBS_S3_FORCE_PATH_STYLE", "yes"],
  ["HANDRAIL_MCP_VARIABLES", "GITHUB TOKEN"],
  ["HANDRAIL_MCP_VARIABLES", "GITHUB_TOKEN,HANDRAIL_SECRET_KEY"],
  ["HANDRAIL_MCP_VARIABLES", "database_url"],
])("%s=%s is refused in one sentence that names the variable", (name, value) => {
  expect(() => parseEnv({ [name]: value })).toThrow(new RegExp(`^${name} [a-z][^;\\n]*$`));
});

test("variables for MCP servers are names with commas between them", () => {
  expect(parseEnv({ HANDRAIL_MCP_VARIABLES: "GITHUB_TOKEN, NPM_TOKEN," }).mcpVariables).toEqual(["GITHUB_TOKEN", "NPM_TOKEN"]);
  expect(parseEnv({}).mcpVariables).toEqual([]);
});

test("every wrong variable is named at once", () => {
  expect(() => parseEnv({ PORT: "x", HANDRAIL_ROLE: "y" })).toThrow(/PORT must be .*; HANDRAIL_ROLE must be /);
});

test("a password in a wrong DATABASE_URL is not repeated", () => {
  expect(() => parseEnv({ DATABASE_URL: "mysql://root:hunter2hunter2@localhost" })).not.toThrow(/hunter2/);
});

test("single sign-on is set whole or not at all", () => {
  expect(() => parseEnv({ HANDRAIL_OIDC_ISSUER: "https://id.example.com" })).toThrow("HANDRAIL_OIDC_CLIENT_ID");
});

test("roles of their own need a database that they share", () => {
  expect(() => parseEnv({ HANDRAIL_ROLE: "worker" })).toThrow("DATABASE_URL");
  expect(parseEnv({ HANDRAIL_ROLE: "worker", DATABASE_URL: "postgres://db/handrail" }).role).toBe("worker");
});

const s3 = {
  HANDRAIL_BLOBS_S3_ENDPOINT: "http://minio:9000",
  HANDRAIL_BLOBS_S3_BUCKET: "handrail",
  HANDRAIL_BLOBS_S3_ACCESS_KEY_ID: "key",
  HANDRAIL_BLOBS_S3_SECRET_ACCESS_KEY: "hunter2hunter2",
};

test("artifacts are kept in the data folder, in a folder that was named, or in a bucket", () => {
  expect(parseEnv({}).blobs).toEqual({ kind: "folder", folder: path.resolve(".data/blobs") });
  expect(parseEnv({ HANDRAIL_BLOBS_DIR: "/mnt/blobs" }).blobs).toEqual({ kind: "folder", folder: "/mnt/blobs" });
  expect(parseEnv(s3).blobs).toEqual({
    kind: "s3",
    endpoint: "http://minio:9000",
    region: "us-east-1",
    bucket: "handrail",
    accessKeyId: "key",
    secretAccessKey: "hunter2hunter2",
    forcePathStyle: true,
  });
});

test.each(Object.keys(s3))("a bucket without %s is refused, and the secret is not repeated", (missing) => {
  const parse = () => parseEnv({ ...s3, [missing]: "" });
  expect(parse).toThrow(/HANDRAIL_BLOBS_S3_ENDPOINT, .* go together: set all four or none$/);
  expect(parse).not.toThrow(/hunter2/);
});

test("artifacts have one place", () => {
  expect(() => parseEnv({ ...s3, HANDRAIL_BLOBS_DIR: "/mnt/blobs" })).toThrow("HANDRAIL_BLOBS_DIR and HANDRAIL_BLOBS_S3_ENDPOINT");
});

test("the HOME of calls outside the sandbox is a folder that no agent writes to", () => {
  expect(parseEnv({ HANDRAIL_OUTSIDE_HOME: "/etc/handrail/home/" }).sandbox.outsideHome).toBe("/etc/handrail/home");
  expect(() => parseEnv({ HANDRAIL_OUTSIDE_HOME: "home" })).toThrow("HANDRAIL_OUTSIDE_HOME must be an absolute path");
  const inWorkspaces = { HANDRAIL_DATA_DIR: "/srv/data", HANDRAIL_OUTSIDE_HOME: "/srv/data/workspaces/a" };
  expect(() => parseEnv(inWorkspaces)).toThrow("HANDRAIL_OUTSIDE_HOME must not lie in the workspaces");
  expect(() => parseEnv({ HANDRAIL_DATA_DIR: "/srv/data", HANDRAIL_OUTSIDE_HOME: "/srv" })).toThrow("must not hold the data folder");
});

test("the sandbox is used where it can be had, with limits that everyday programs stay below", () => {
  expect(parseEnv({}).sandbox).toEqual({
    setting: "auto",
    readOnly: [],
    privateHosts: [],
    outsideHome: path.resolve(".data/outside-home"),
    limits: { memoryBytes: 4_294_967_296, processes: 512, fileBytes: 2_147_483_648, cpuSeconds: 600 },
  });
  const given = { HANDRAIL_SANDBOX: "required", HANDRAIL_SANDBOX_READ_ONLY: "/opt/node:/nix", HANDRAIL_SANDBOX_MEMORY_MB: "512" };
  expect(parseEnv(given).sandbox).toMatchObject({
    setting: "required",
    readOnly: ["/opt/node", "/nix"],
    limits: { memoryBytes: 536_870_912 },
  });
});

test.each(["npm.internal", "http://npm.internal:4873", "*.internal:80", "10.0.0.5:0"])(
  "a private host of the sandbox is an exact host with its port, which %s is not",
  (entry) => {
    expect(() => parseEnv({ HANDRAIL_SANDBOX_PRIVATE_HOSTS: `10.0.0.5:8080,${entry}` })).toThrow("HANDRAIL_SANDBOX_PRIVATE_HOSTS must be");
  },
);

test("private hosts of the sandbox are compared in small letters", () => {
  const given = { HANDRAIL_SANDBOX_PRIVATE_HOSTS: "NPM.internal:4873, [fd00::1]:80," };
  expect(parseEnv(given).sandbox.privateHosts).toEqual(["npm.internal:4873", "[fd00::1]:80"]);
});
