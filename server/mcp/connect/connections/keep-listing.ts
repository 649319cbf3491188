import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { provideTools } from "@/server/tools/live-tools";
import { type CallUpstream, describeTools } from "../listing/describe-tools";
import type { UpstreamListing, UpstreamTool } from "../listing/list-upstream-tools";
import type { Session } from "../session/session";
import { findUnexpected } from "../settings/check-expectations";
import type { McpServerRow } from "../settings/server-settings";
import { saveConnected } from "./save-connection";

type ListingUse = {
  server: () => McpServerRow;
  call: CallUpstream;
  /** Returns whether the session is still the one that lists the tools. */
  isCurrent(session: Session): boolean;
  isClosed(): boolean;
  /** Writes to the server's row, one after another. */
  save<T>(write: () => Promise<T>): Promise<T>;
  /** Called when a list is no longer the expected one. */
  reject(from: Session, sentence: string): void;
};

/** The tools of one server: saved, provided to calls, and read again after each announced change. */
export type KeptListing = {
  /** Returns the server's last list, including tools that the settings do not allow; null before the first. */
  listed(): UpstreamListing | null;
  /** Returns the last definition of a tool. */
  find(rawName: string): UpstreamTool | undefined;
  publish(from: Session, listing: UpstreamListing): Promise<void>;
  /** Reads the list again after the server announced a change, with a pause between two readings. */
  readAgain(from: Session): void;
};

const betweenListingsMs = 2_000;

export function keepListing({ server, call, isCurrent, isClosed, save, reject }: ListingUse): KeptListing {
  let listed: UpstreamListing | null = null;
  let definitions = new Map<string, UpstreamTool>();
  let reading = Promise.resolve();
  let isDue = false;

  const publish = async (from: Session, { tools: upstream, notes }: UpstreamListing): Promise<void> => {
    const { serverInfo, instructions } = from;
    const row = server();
    const tools = (await describeTools(row, upstream, call)).filter(({ rawName }) => isAllowed(row, rawName));
    const isWanted = await save(() => saveConnected(row, { serverInfo, instructions, tools, notes }));
    if (!isWanted || isClosed()) return;
    definitions = new Map(upstream.map((tool) => [tool.name, tool]));
    listed = { tools: [...upstream], notes };
    provideTools(row.workspaceId, row.id, tools);
  };

  const read = async (from: Session): Promise<void> => {
    isDue = false;
    if (!isCurrent(from)) return;
    const again = await from.listTools();
    const unexpected = findUnexpected(server(), { serverInfo: from.serverInfo, tools: again.tools });
    if (unexpected) reject(from, unexpected);
    else await publish(from, again);
  };

  return {
    listed: () => listed,
    find: (rawName) => definitions.get(rawName),
    publish,
    readAgain: (from) => {
      if (isDue) return;
      isDue = true;
      reading = reading
        .then(() => read(from))
        .catch((error) =>
          log().warn({ server: server().alias, reason: toErrorMessage(error) }, "the changed tool list of an MCP server could not be read"),
        )
        .then(() => wait(betweenListingsMs, undefined, { ref: false }));
    },
  };
}

/** Tells whether the settings let agents use a tool. */
export function isAllowed({ allowedTools, excludedTools }: Pick<McpServerRow, "allowedTools" | "excludedTools">, rawName: string): boolean {
  return (allowedTools === null || allowedTools.includes(rawName)) && !excludedTools.includes(rawName);
}
