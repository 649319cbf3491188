import { mkdir } from "node:fs/promises";
import path from "node:path";
import { conversationEndpoints } from "../contracts/conversations/conversations";
import { identityEndpoints } from "../contracts/identity/identity";
import { startEmbeddedPostgres } from "../db/embedded";
import { type Caller, caller } from "../e2e/caller";
import { adminEmail, adminPassword } from "../e2e/product";
import { requestBytes } from "./connection";
import { requestFor, type Target } from "./load";
import { type BenchProduct, startBenchProduct } from "./start-product";
import { withFolder } from "./with-folder";

export type Given = {
  product: BenchProduct;
  databaseUrl: string;
  /** A folder that is gone with the bench. */
  folder: string;
  agent: Caller;
  admin: Caller;
  /** Headers of the agent's and the administrator's requests, for raw ones. */
  asAgent: Record<string, string>;
  asAdmin: Record<string, string>;
  conversations: (count: number) => Promise<string[]>;
  /** One call, submitted as a turn, over and over; each caller has a conversation of its own. */
  callTarget: (name: string, args: object, callers: number) => Promise<Target>;
};

/** Starts the product with its own data folder and Postgres, hands it over, and removes everything again. */
export const withProduct = <Result>(use: (given: Given) => Promise<Result>, variables: Record<string, string> = {}): Promise<Result> =>
  withFolder((folder) =>
    withPostgres(folder, async (databaseUrl) => {
      const product = await startBenchProduct({ dataDir: path.join(folder, "data"), databaseUrl, variables });
      try {
        return await use(await introduce(product, databaseUrl, folder));
      } finally {
        await product.stop();
      }
    }),
  );

/** A Postgres of its own, as the product brings it: nothing about durability is turned down. */
export async function withPostgres<Result>(folder: string, use: (databaseUrl: string) => Promise<Result>): Promise<Result> {
  const postgresFolder = path.join(folder, "postgres");
  await mkdir(postgresFolder, { recursive: true });
  const postgres = await startEmbeddedPostgres(postgresFolder);
  try {
    return await use(postgres.url);
  } finally {
    await postgres.stop();
  }
}

async function introduce(product: BenchProduct, databaseUrl: string, folder: string): Promise<Given> {
  const { port, url, agentKey } = product;
  const agent = caller(url, agentKey);
  const { token } = await agent.call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
  const asAgent = { authorization: `Bearer ${agentKey}` };
  const conversations = async (count: number) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made++) ids.push((await agent.call(conversationEndpoints.create, { body: {} })).id);
    return ids;
  };
  return {
    product,
    databaseUrl,
    folder,
    agent,
    admin: caller(url, token),
    asAgent,
    asAdmin: { authorization: `Bearer ${token}` },
    conversations,
    async callTarget(name, args, callers) {
      const requests = (await conversations(callers)).map((id) => turnRequest(port, id, asAgent, name, args));
      return { port, expects: '"status":"succeeded"', requestOf: requestFor(requests) };
    },
  };
}

/** The bytes that submit one call as a turn. */
export function turnRequest(port: number, conversationId: string, headers: Record<string, string>, name: string, args: object): Buffer {
  const body = { calls: [{ id: "call_1", name, arguments: args }] };
  return requestBytes(port, { method: "POST", path: `/api/v1/conversations/${conversationId}/turns`, headers, body });
}
