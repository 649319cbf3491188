import "server-only";
import { LRUCache } from "lru-cache";
import { processWide } from "@/server/platform/process-wide";
import { enterCallingClient } from "@/server/tools/calling-client";
import { ClientChannel } from "../client/client-channel";
import type { McpClient } from "../client/mcp-client";

const maxChannels = 10_000;
/** Channels of clients that repeat a call for its answer, by the turn of the call. */
const channels = () => processWide("mcp.callChannels", () => new LRUCache<string, ClientChannel>({ max: maxChannels }));

/** Opens the channel of a new call. It ends with the call; in the older protocol nobody can be reached after the request. */
export function openChannel(client: McpClient, runtimeId: string): ClientChannel {
  const channel = new ClientChannel(client);
  const leave = enterCallingClient(
    runtimeId,
    channel.entered(() => leave()),
  );
  return channel;
}

/** Keeps a channel for the next round of its call. */
export function keepChannel(turnId: string, channel: ClientChannel): void {
  channels().set(turnId, channel);
}

/** Finds the channel of an earlier round on this replica. */
export const findChannel = (turnId: string): ClientChannel | null => channels().get(turnId) ?? null;

export function dropChannel(turnId: string): void {
  channels().delete(turnId);
}
