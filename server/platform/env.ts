import path from "node:path";
import { z } from "zod";
import { processWide } from "./process-wide";

const text = z.string().trim().min(1, "must not be blank");

const portSentence = "must be a port number, 1 to 65535";

const Env = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, portSentence)
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65_535, portSentence)
    .default(3_000),
  /** Absent: the embedded Postgres in the data folder. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must look like postgres://user:password@host:5432/database" }).optional(),
  HANDRAIL_DATA_DIR: text.default(".data").transform((folder) => path.resolve(folder)),
  HANDRAIL_ROLE: z.enum(["all", "web", "worker"], { error: "must be all, web or worker" }).default("all"),
  /** 32 bytes or more, any text; absent: generated into the data folder by `npm start`. */
  HANDRAIL_SECRET_KEY: z.string().min(32, "needs at least 32 characters (openssl rand -base64 32 makes one)").optional(),
  /** Rules of the guard in YAML; every replica needs the same file. */
  HANDRAIL_POLICY_FILE: text.transform((file) => path.resolve(file)).optional(),
  HANDRAIL_WORKSPACE_ROOT: text.transform((folder) => path.resolve(folder)).optional(),
  /** A folder for artifacts that several machines share; absent: `blobs` in the data folder. */
  HANDRAIL_BLOBS_DIR: text.transform((folder) => path.resolve(folder)).optional(),
  /** Any S3-compatible store, instead of a folder. */
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
  /** false: the bucket stands in the host's name. */
  HANDRAIL_BLOBS_S3_FORCE_PATH_STYLE: z.enum(["true", "false"], { error: "must be true or false" }).default("true"),
  HANDRAIL_PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  /** Reverse proxies in front of this process; each adds one entry to X-Forwarded-For. */
  HANDRAIL_TRUSTED_PROXIES: z
    .string()
    .regex(/^(\d|10)$/, "must be a number of proxies, 0 to 10")
    .transform(Number)
    .default(0),
  /** Receivers on the own network are common when self-hosted, and the way to everything else on it: an operator decides. */
  HANDRAIL_WEBHOOK_ALLOW_PRIVATE: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((word) => word === "true")
    .default(false),
  /** A pipeline for core_execute often stands beside us; like webhooks, an operator decides that it may. */
  HANDRAIL_DELEGATE_ALLOW_PRIVATE: z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((word) => word === "true")
    .default(false),
  /** Turns that this process works on at once; beyond it, callers are asked to come again. */
  HANDRAIL_MAX_TURNS: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, "must be a number of turns, 1 to 999999")
    .transform(Number)
    .default(1_000),
  /** First start only. */
  HANDRAIL_ADMIN_EMAIL: z.email("must be an e-mail address").max(200).toLowerCase().default("admin@example.com"),
  /** First start only; absent: made up and printed once. */
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
  /** Absolute; null where there is none. */
  policyFile: string | null;
  /** Where artifacts are kept. */
  blobs: { kind: "folder"; folder: string } | ({ kind: "s3" } & S3Blobs);
  publicUrl: string;
  /** Who the first start makes the owner; a null password is made up. */
  admin: { email: string; password: string | null };
  trustedProxies: number;
  maxTurns: number;
  /** Whether webhooks may go to private and local addresses. */
  webhooksMayGoToPrivateAddresses: boolean;
  /** Whether the pipeline of core_execute may be at a private or local address. */
  delegateMayBeAtPrivateAddress: boolean;
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | null;
  logLevel: z.infer<typeof Env>["HANDRAIL_LOG_LEVEL"];
};

/**
 * Parses the environment; every error names the variable.
 * @throws Error with one sentence a variable.
 */
export function parseEnv(variables: Record<string, string | undefined>): Env {
  // An empty variable is a variable that nobody set: `DATABASE_URL=` in a compose file means "the default".
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = Env.safeParse(given);
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
  return {
    port: env.PORT,
    databaseUrl: env.DATABASE_URL ?? null,
    dataDir: env.HANDRAIL_DATA_DIR,
    role: env.HANDRAIL_ROLE,
    secretKey: env.HANDRAIL_SECRET_KEY ?? null,
    workspaceRoot: env.HANDRAIL_WORKSPACE_ROOT ?? path.join(env.HANDRAIL_DATA_DIR, "workspaces"),
    policyFile: env.HANDRAIL_POLICY_FILE ?? null,
    blobs: blobsOf(env),
    publicUrl: (env.HANDRAIL_PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ""),
    trustedProxies: env.HANDRAIL_TRUSTED_PROXIES,
    maxTurns: env.HANDRAIL_MAX_TURNS,
    webhooksMayGoToPrivateAddresses: env.HANDRAIL_WEBHOOK_ALLOW_PRIVATE,
    delegateMayBeAtPrivateAddress: env.HANDRAIL_DELEGATE_ALLOW_PRIVATE,
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
 * Sets what `env()` answers: at start, what was found out (the embedded database, the generated key) joins what was given.
 * @throws Error when something has asked before, because it would have got another answer.
 */
export function provideEnv(complete: Env): void {
  if (processWide("env", () => complete) !== complete) throw new Error("The environment was read before start-up completed it");
}

/** The environment of this process, parsed once. */
export const env = (): Env => processWide("env", () => parseEnv(process.env));
