import path from "node:path";
import { z } from "zod";
import type { Variable } from "./define-variable";
import { processWide } from "./process-wide";

const text = z.string().trim().min(1, "must not be blank");

const bytesPerMegabyte = 1_048_576;

const portSentence = "must be a port number, 1 to 65535";

/** Parses a whole number from `least` to 9,999,999. */
const limit = (unit: string, least: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, `must be a number of ${unit}`)
    .transform(Number)
    .refine((value) => value >= least, `must be at least ${least} ${unit}`)
    .optional();

const splitAtCommas = (list: string): string[] =>
  list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/** Returns true for a variable with a secret of Handrail itself, which no other program receives. */
export const isOwnVariable = (name: string): boolean => /^(?:DATABASE_URL|HANDRAIL_.*|NEXTAUTH_.*)$/i.test(name);

const hostsWithPorts = z
  .string()
  .transform(splitAtCommas)
  .refine(
    (entries) => entries.every((entry) => /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):[1-9]\d{0,4}$/i.test(entry)),
    "must be hosts with their port and a comma between two: npm.internal:4873,10.0.0.5:8080",
  )
  .transform((entries) => entries.map((entry) => entry.toLowerCase()))
  .default([]);

const Env = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, portSentence)
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65_535, portSentence)
    .default(3_000),
  /** Absent: the embedded Postgres in the data folder is used. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must look like postgres://user:password@host:5432/database" }).optional(),
  HANDRAIL_DATA_DIR: text.default(".data").transform((folder) => path.resolve(folder)),
  HANDRAIL_ROLE: z.enum(["all", "web", "worker"], { error: "must be all, web or worker" }).default("all"),
  /** At least 32 characters; absent: `npm start` generates a key into the data folder. */
  HANDRAIL_SECRET_KEY: z.string().min(32, "needs at least 32 characters (openssl rand -base64 32 makes one)").optional(),
  /** Guard rules in YAML; every replica needs the same file. */
  HANDRAIL_POLICY_FILE: text.transform((file) => path.resolve(file)).optional(),
  HANDRAIL_WORKSPACE_ROOT: text.transform((folder) => path.resolve(folder)).optional(),
  /** A folder for artifacts, shared by several machines; absent: `blobs` in the data folder. */
  HANDRAIL_BLOBS_DIR: text.transform((folder) => path.resolve(folder)).optional(),
  /** An S3-compatible store instead of a folder. */
  HANDRAIL_BLOBS_S3_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  HANDRAIL_BLOBS_S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, "must be a region, such as eu-central-1")
    .default("us-east-1"),
  HANDRAIL_BLOBS_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens")
    .optional(),
  HANDRAIL_BLOBS_S3_ACCESS_KEY_ID: text.optional(),
  HANDRAIL_BLOBS_S3_SECRET_ACCESS_KEY: text.optional(),
  /** false: the bucket stands in the host name. */
  HANDRAIL_BLOBS_S3_FORCE_PATH_STYLE: z.enum(["true", "false"], { error: "must be true or false" }).default("true"),
  HANDRAIL_PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  /** Number of reverse proxies in front of this process; each adds one entry to X-Forwarded-For. */
  HANDRAIL_TRUSTED_PROXIES: z
    .string()
    .regex(/^(\d|10)$/, "must be a number of proxies, 0 to 10")
    .transform(Number)
    .default(0),
  /** Sandbox for programs of calls: when available (auto), always or the process does not start (required), or never (off). */
  HANDRAIL_SANDBOX: z.enum(["auto", "required", "off"], { error: "must be auto, required or off" }).default("auto"),
  /** Folders and files beside /usr that programs in the sandbox may read (toolchains), separated by colons. */
  HANDRAIL_SANDBOX_READ_ONLY: text
    .transform((list) => list.split(":").filter((entry) => entry !== ""))
    .refine((list) => list.every((entry) => path.isAbsolute(entry)), "must be absolute paths with a colon between two")
    .default([]),
  /** Private addresses, as host:port, that the sandbox's proxy may connect to for a call with such an opening. */
  HANDRAIL_SANDBOX_PRIVATE_HOSTS: hostsWithPorts,
  /** HOME of calls that leave the sandbox, which only an admin fills. Absent: `outside-home` in the data folder. */
  HANDRAIL_OUTSIDE_HOME: text.refine((folder) => path.isAbsolute(folder), "must be an absolute path").optional(),
  HANDRAIL_SANDBOX_MEMORY_MB: limit("megabytes", 64),
  HANDRAIL_SANDBOX_PROCESSES: limit("processes", 8),
  HANDRAIL_SANDBOX_FILE_MB: limit("megabytes", 1),
  HANDRAIL_SANDBOX_CPU_SECONDS: limit("seconds", 1),
  /** Variables of this environment that MCP servers may refer to, beside those with the prefix MCP_. */
  HANDRAIL_MCP_VARIABLES: z
    .string()
    .transform(splitAtCommas)
    .refine(
      (names) => names.every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isOwnVariable(name)),
      "must be names of variables with a comma between two, and none of Handrail's own (HANDRAIL_*, NEXTAUTH_*, DATABASE_URL)",
    )
    .default([]),
  /** Private addresses, as host:port, of authorization servers that MCP servers may name. */
  HANDRAIL_MCP_AUTHORIZATION_HOSTS: hostsWithPorts,
  /** The most turns that this process works on at once; further submissions are told to retry later. */
  HANDRAIL_MAX_TURNS: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, "must be a number of turns, 1 to 999999")
    .transform(Number)
    .default(1_000),
  /** The most conversations that one key or person may open per minute on this process. */
  HANDRAIL_MAX_CONVERSATIONS_PER_MINUTE: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, "must be a number of conversations, 1 to 9999999")
    .transform(Number)
    .default(600),
  /** Used at the first start only. */
  HANDRAIL_ADMIN_EMAIL: z.email("must be an email address").max(200).toLowerCase().default("admin@example.com"),
  /** Used at the first start only; absent: generated and printed once. */
  HANDRAIL_ADMIN_PASSWORD: z.string().min(12, "needs at least 12 characters").max(200, "takes at most 200 characters").optional(),
  HANDRAIL_OIDC_ISSUER: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  HANDRAIL_OIDC_CLIENT_ID: text.optional(),
  HANDRAIL_OIDC_CLIENT_SECRET: text.optional(),
  HANDRAIL_OIDC_NAME: text.default("Single sign-on"),
  HANDRAIL_LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be fatal, error, warn, info, debug, trace or silent",
    })
    .default("info"),
});

type S3Blobs = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
};

export type Env = {
  port: number;
  databaseUrl: string | null;
  dataDir: string;
  role: "all" | "web" | "worker";
  secretKey: string | null;
  workspaceRoot: string;
  /** Absolute path; null without a policy file. */
  policyFile: string | null;
  /** Storage of the artifacts. */
  blobs: { kind: "folder"; folder: string } | ({ kind: "s3" } & S3Blobs);
  publicUrl: string;
  /** The owner that the first start creates; a null password is generated. */
  admin: { email: string; password: string | null };
  trustedProxies: number;
  maxTurns: number;
  maxConversationsPerMinute: number;
  /** Names of the variables that MCP servers may refer to. */
  mcpVariables: readonly string[];
  /** Private `host:port` pairs of authorization servers of MCP servers, in lower case. */
  mcpAuthorizationHosts: readonly string[];
  sandbox: {
    setting: "auto" | "required" | "off";
    /** Absolute paths beside /usr that programs in the sandbox may read. */
    readOnly: readonly string[];
    /** Private `host:port` pairs that the sandbox's proxy may connect to, in lower case. */
    privateHosts: readonly string[];
    /** Absolute path of the folder whose content is the HOME of calls outside of the sandbox. */
    outsideHome: string;
    limits: { memoryBytes: number; processes: number; fileBytes: number; cpuSeconds: number };
  };
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | null;
  logLevel: z.infer<typeof Env>["HANDRAIL_LOG_LEVEL"];
};

/** The core's variables together with those that families declare. */
function schemaWith(declared: readonly Variable[]): typeof Env {
  const taken = declared.find(({ name }) => name in Env.shape);
  if (taken) throw new Error(`Both the core and a family declare the variable ${taken.name}`);
  return Env.extend(Object.fromEntries(declared.map(({ name, schema }) => [name, schema]))) as unknown as typeof Env;
}

/**
 * Parses the environment; every error names the variable.
 * @param declared variables of families, which are only checked here because each family reads its own
 * @throws Error with one sentence a variable.
 */
export function parseEnv(variables: Record<string, string | undefined>, declared: readonly Variable[] = []): Env {
  // An empty variable counts as unset: `DATABASE_URL=` in a compose file means "the default".
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schemaWith(declared).safeParse(given);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; "));
  }
  const env = parsed.data;
  const oidcParts = [env.HANDRAIL_OIDC_ISSUER, env.HANDRAIL_OIDC_CLIENT_ID, env.HANDRAIL_OIDC_CLIENT_SECRET];
  if (oidcParts.some(Boolean) && !oidcParts.every(Boolean)) {
    throw new Error("HANDRAIL_OIDC_ISSUER, HANDRAIL_OIDC_CLIENT_ID and HANDRAIL_OIDC_CLIENT_SECRET go together: set all three or none");
  }
  if (env.HANDRAIL_ROLE !== "all" && !env.DATABASE_URL) {
    throw new Error(
      "HANDRAIL_ROLE splits the work between processes, which needs DATABASE_URL: the embedded Postgres serves one process only",
    );
  }
  const workspaceRoot = env.HANDRAIL_WORKSPACE_ROOT ?? path.join(env.HANDRAIL_DATA_DIR, "workspaces");
  return {
    port: env.PORT,
    databaseUrl: env.DATABASE_URL ?? null,
    dataDir: env.HANDRAIL_DATA_DIR,
    role: env.HANDRAIL_ROLE,
    secretKey: env.HANDRAIL_SECRET_KEY ?? null,
    workspaceRoot,
    policyFile: env.HANDRAIL_POLICY_FILE ?? null,
    blobs: blobsOf(env),
    publicUrl: (env.HANDRAIL_PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
    trustedProxies: env.HANDRAIL_TRUSTED_PROXIES,
    maxTurns: env.HANDRAIL_MAX_TURNS,
    maxConversationsPerMinute: env.HANDRAIL_MAX_CONVERSATIONS_PER_MINUTE,
    mcpVariables: env.HANDRAIL_MCP_VARIABLES,
    mcpAuthorizationHosts: env.HANDRAIL_MCP_AUTHORIZATION_HOSTS,
    sandbox: {
      setting: env.HANDRAIL_SANDBOX,
      readOnly: env.HANDRAIL_SANDBOX_READ_ONLY,
      privateHosts: env.HANDRAIL_SANDBOX_PRIVATE_HOSTS,
      outsideHome: outsideHomeOf(env, workspaceRoot),
      limits: {
        memoryBytes: (env.HANDRAIL_SANDBOX_MEMORY_MB ?? 4_096) * bytesPerMegabyte,
        processes: env.HANDRAIL_SANDBOX_PROCESSES ?? 512,
        fileBytes: (env.HANDRAIL_SANDBOX_FILE_MB ?? 2_048) * bytesPerMegabyte,
        cpuSeconds: env.HANDRAIL_SANDBOX_CPU_SECONDS ?? 600,
      },
    },
    admin: { email: env.HANDRAIL_ADMIN_EMAIL, password: env.HANDRAIL_ADMIN_PASSWORD ?? null },
    oidc:
      env.HANDRAIL_OIDC_ISSUER && env.HANDRAIL_OIDC_CLIENT_ID && env.HANDRAIL_OIDC_CLIENT_SECRET
        ? {
            issuer: env.HANDRAIL_OIDC_ISSUER,
            clientId: env.HANDRAIL_OIDC_CLIENT_ID,
            clientSecret: env.HANDRAIL_OIDC_CLIENT_SECRET,
            name: env.HANDRAIL_OIDC_NAME,
          }
        : null,
    logLevel: env.HANDRAIL_LOG_LEVEL,
  };
}

/** Refuses a folder that agents could fill, or that would hand the data folder to calls outside of the sandbox. */
function outsideHomeOf(env: z.infer<typeof Env>, workspaceRoot: string): string {
  const folder = path.normalize(env.HANDRAIL_OUTSIDE_HOME ?? path.join(env.HANDRAIL_DATA_DIR, "outside-home")).replace(/(?<=.)\/+$/, "");
  const isWithin = (file: string, above: string) => file === above || file.startsWith(above === "/" ? "/" : `${above}/`);
  if (isWithin(folder, workspaceRoot)) {
    throw new Error("HANDRAIL_OUTSIDE_HOME must not lie in the workspaces (HANDRAIL_WORKSPACE_ROOT), because agents write there");
  }
  if (isWithin(env.HANDRAIL_DATA_DIR, folder)) {
    throw new Error(
      "HANDRAIL_OUTSIDE_HOME must not hold the data folder (HANDRAIL_DATA_DIR): name a folder for the settings of docker and the like",
    );
  }
  return folder;
}

function blobsOf(env: z.infer<typeof Env>): Env["blobs"] {
  const endpoint = env.HANDRAIL_BLOBS_S3_ENDPOINT;
  const bucket = env.HANDRAIL_BLOBS_S3_BUCKET;
  const accessKeyId = env.HANDRAIL_BLOBS_S3_ACCESS_KEY_ID;
  const secretAccessKey = env.HANDRAIL_BLOBS_S3_SECRET_ACCESS_KEY;
  if (!endpoint && !bucket && !accessKeyId && !secretAccessKey)
    return { kind: "folder", folder: env.HANDRAIL_BLOBS_DIR ?? path.join(env.HANDRAIL_DATA_DIR, "blobs") };
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
    throw new Error(
      "HANDRAIL_BLOBS_S3_ENDPOINT, HANDRAIL_BLOBS_S3_BUCKET, HANDRAIL_BLOBS_S3_ACCESS_KEY_ID and HANDRAIL_BLOBS_S3_SECRET_ACCESS_KEY go together: set all four or none",
    );
  }
  if (env.HANDRAIL_BLOBS_DIR)
    throw new Error("HANDRAIL_BLOBS_DIR and HANDRAIL_BLOBS_S3_ENDPOINT both say where artifacts are kept: set one of them");
  return {
    kind: "s3",
    endpoint,
    bucket,
    accessKeyId,
    secretAccessKey,
    region: env.HANDRAIL_BLOBS_S3_REGION,
    forcePathStyle: env.HANDRAIL_BLOBS_S3_FORCE_PATH_STYLE === "true",
  };
}

/**
 * Sets the result of `env()`. The start-up adds its findings (the embedded database, the generated key) to the given
 * variables.
 * @throws Error when `env()` was called before, because that caller got another result.
 */
export function provideEnv(complete: Env): void {
  if (processWide("env", () => complete) !== complete) throw new Error("The environment was read before start-up completed it");
}

/** The environment of this process, parsed once. */
export const env = (): Env => processWide("env", () => parseEnv(process.env));
