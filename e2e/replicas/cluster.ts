import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import postgres from "postgres";
import { identityEndpoints } from "@/contracts/identity/identity";
import { type Caller, caller } from "../caller";
import { adminEmail, adminPassword } from "../product";
import { describeReplica, type Replica, type Role } from "./replica";
import { type RestartablePostgres, startRestartablePostgres } from "./restartable-postgres";
import { type RetryLog, retryUntilAnswered } from "./retry-until-answered";
import { type RoundRobin, startRoundRobin } from "./round-robin";

export type Cluster = {
  replicas: Replica[];
  postgres: RestartablePostgres;
  /** Straight to the database: for what no caller of the API may know (who ran what). */
  sql: postgres.Sql;
  proxy: RoundRobin;
  /** Through the proxy, so each request goes to another replica than the last. */
  agent: Caller;
  admin: Caller;
  /** The same callers at one replica. */
  agentAt: (replica: Replica) => Caller;
  adminAt: (replica: Replica) => Caller;
  /** One more replica of the same installation, started; the proxy does not know it. */
  add: (role: Role) => Promise<Replica>;
  /** The folder that the tools of a conversation see as `.`. */
  folderOf: (conversationId: string) => string;
  stop: () => Promise<void>;
};

type Wanted = { name: string; roles: readonly Role[]; settings?: Record<string, string> };

/** Starts replicas of the production build on one Postgres of their own, behind a round-robin proxy, sharing their folders. */
export async function startCluster({ name, roles, settings = {} }: Wanted): Promise<Cluster> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-cluster-"));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const database = await startRestartablePostgres();
    ends.push(database.remove);
    const shared = {
      DATABASE_URL: database.url,
      HANDRAIL_SECRET_KEY: randomBytes(32).toString("base64"),
      HANDRAIL_WORKSPACE_ROOT: path.join(folder, "workspaces"),
      HANDRAIL_BLOBS_DIR: path.join(folder, "blobs"),
      HANDRAIL_ADMIN_EMAIL: adminEmail,
      HANDRAIL_ADMIN_PASSWORD: adminPassword,
      ...settings,
    };
    await mkdir(shared.HANDRAIL_BLOBS_DIR, { recursive: true });
    const replicas: Replica[] = [];
    const prepare = async (role: Role): Promise<Replica> => {
      const place = replicas.filter((replica) => replica.role === role).length + 1;
      const HANDRAIL_DATA_DIR = path.join(folder, `${role}-${place}`);
      const replica = await describeReplica(`${name}-${role}-${place}`, role, { ...shared, HANDRAIL_DATA_DIR });
      replicas.push(replica);
      ends.push(replica.kill);
      return replica;
    };
    for (const role of roles) await prepare(role);
    await Promise.all(replicas.map(({ start }) => start()));

    const doors = replicas.filter(({ role }) => role !== "worker");
    const proxy = await startRoundRobin(doors);
    ends.push(proxy.stop);
    const agentKey = replicas.map(({ printed }) => /\bhr_[A-Za-z0-9_-]{20,}/.exec(printed())?.[0]).find(Boolean);
    if (!agentKey) throw new Error("no replica printed the agent key");
    const token = await signIn(proxy.url);
    const admin = caller(proxy.url, token);
    const { workspace } = await admin.call(identityEndpoints.me);
    // Idle connections close, because tests take Postgres away.
    const sql = postgres(database.url, { max: 2, idle_timeout: 1, onnotice: () => {}, backoff: () => 0.2 });
    ends.push(() => sql.end({ timeout: 1 }));
    return {
      replicas,
      postgres: database,
      sql,
      proxy,
      agent: caller(proxy.url, agentKey),
      admin,
      agentAt: ({ url }) => caller(url, agentKey),
      adminAt: ({ url }) => caller(url, token),
      async add(role) {
        const replica = await prepare(role);
        await replica.start();
        return replica;
      },
      folderOf: (conversationId) => path.join(shared.HANDRAIL_WORKSPACE_ROOT, workspace.id, "conversations", conversationId),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Signs in as a client does that is asked to come again, because several servers that start at once keep a machine busy. */
async function signIn(url: string): Promise<string> {
  const { method, path: at, response } = identityEndpoints.token;
  const seen: RetryLog = { answers: {}, complaints: [] };
  const body = JSON.stringify({ email: adminEmail, password: adminPassword });
  const answer = await retryUntilAnswered(caller(url, null), seen, at, { method, body, headers: { "content-type": "application/json" } });
  expect(seen.complaints).toEqual([]);
  return response.parse(answer.body).token;
}
