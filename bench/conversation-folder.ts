import { mkdir } from "node:fs/promises";
import path from "node:path";
import { identityEndpoints } from "../contracts/identity/identity";
import type { Connection } from "./connection";
import type { Given } from "./with-product";

/** The folder of a conversation, below that of its workspace. */
export async function folderOf({ admin, folder }: Pick<Given, "admin" | "folder">, conversationId: string): Promise<string> {
  const { workspace } = await admin.call(identityEndpoints.me, {});
  const own = path.join(folder, "data/workspaces", workspace.id, "conversations", conversationId);
  await mkdir(own, { recursive: true });
  return own;
}

/** Sends a turn of one call, and returns its milliseconds and the text of its result. */
export async function timedCall(connection: Connection, request: Buffer): Promise<{ ms: number; text: string }> {
  const began = performance.now();
  const { status, body } = await connection.send(request);
  const ms = performance.now() - began;
  if (status !== 200 || !body.includes('"status":"succeeded"')) {
    throw new Error(`an answer was wrong (${status}): ${body.toString().slice(0, 500)}`);
  }
  return { ms, text: JSON.parse(body.toString()).calls[0].content };
}
