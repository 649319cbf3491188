import "server-only";
import { and, eq, inArray, isNull } from "drizzle-orm";
import type { MessengerPlatform } from "@/contracts/messengers/messenger-platforms";
import type { Db } from "@/db/client";
import { messengers, messengerTools, tools } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import type { AnyTool } from "@/server/tools/define-tool";
import { listedRow } from "@/server/tools/sync-tools";
import type { StoredTool, StoredToolSource } from "@/server/tools/tool-sources";
import { sendFile, telegramFileTool } from "./tools/file-tools";
import { contactsSend, listChannelSessions, sendChannelMessage } from "./tools/message-tools";
import { slackReact, telegramReact } from "./tools/react-tools";

type Account = { id: string; name: string; platform: MessengerPlatform };

const ofPlatform: Partial<Record<MessengerPlatform, readonly ((messengerId: string) => AnyTool)[]>> = {
  telegram: [
    (id) => telegramFileTool(id, "file"),
    (id) => telegramFileTool(id, "photo"),
    (id) => telegramFileTool(id, "voice"),
    telegramReact,
  ],
  slack: [slackReact],
};
const ofWorkspace = [sendFile, listChannelSessions, sendChannelMessage, contactsSend];

/** The tools that a messenger brings, each with the account in its title. */
const toolsOf = ({ id, name, platform }: Account): AnyTool[] =>
  (ofPlatform[platform] ?? []).map((make) => {
    const tool = make(id);
    return asChannelTool({ ...tool, title: `${tool.title} (${name})` });
  });

const sharedTools = (): AnyTool[] => ofWorkspace.map((make) => asChannelTool(make()));
const asChannelTool = (tool: AnyTool): AnyTool => ({ ...tool, source: "channel" });

/** The tools of all platforms, for the list of the command line. */
export const channelToolPreview = (): { platform: string; tool: AnyTool }[] => [
  ...sharedTools().map((tool) => ({ platform: "every messenger", tool })),
  ...Object.entries(ofPlatform).flatMap(([platform, makers]) => makers.map((make) => ({ platform, tool: asChannelTool(make("")) }))),
];

/** Tools of messengers as a source: their rows come and go with the accounts. */
export const channelToolSource: StoredToolSource = { source: "channel", load: loadChannelTools };

async function loadChannelTools(workspaceId: string): Promise<ReadonlyMap<string, StoredTool>> {
  const rows = await db()
    .select({ row: tools, base: messengerTools.base, messenger: messengers })
    .from(messengerTools)
    .innerJoin(tools, eq(tools.id, messengerTools.toolId))
    .leftJoin(messengers, eq(messengers.id, messengerTools.messengerId))
    .where(eq(messengerTools.workspaceId, workspaceId));
  return new Map(
    rows.flatMap(({ row, base, messenger }) => {
      const made = (messenger ? toolsOf(messenger) : sharedTools()).find(({ name }) => name === base);
      return made ? [[row.id, { tool: { ...made, name: row.name }, sourceName: messenger?.name ?? null }] as const] : [];
    }),
  );
}

/** Gives a workspace the tools of its messengers, and takes those of removed ones. Repeated, it changes nothing. */
export async function syncMessengerTools(tx: Db, workspaceId: string, { without }: { without?: string } = {}): Promise<void> {
  const accounts = (await tx.select().from(messengers).where(eq(messengers.workspaceId, workspaceId))).filter(({ id }) => id !== without);
  const wanted = [
    ...(accounts.length > 0 ? sharedTools().map((tool) => ({ messengerId: null as string | null, tool })) : []),
    ...accounts.flatMap((account) => toolsOf(account).map((tool) => ({ messengerId: account.id as string | null, tool }))),
  ];
  const known = await tx.select().from(messengerTools).where(eq(messengerTools.workspaceId, workspaceId));
  const isSame = (a: { messengerId: string | null; base: string }, b: { messengerId: string | null; tool: AnyTool }) =>
    a.messengerId === b.messengerId && a.base === b.tool.name;
  const gone = known.filter((row) => !wanted.some((want) => isSame(row, want)));
  const missing = wanted.filter((want) => !known.some((row) => isSame(row, want)));
  if (gone.length > 0)
    await tx.delete(tools).where(
      inArray(
        tools.id,
        gone.map(({ toolId }) => toolId),
      ),
    );
  for (const { messengerId, tool } of missing) await insertTool(tx, workspaceId, messengerId, tool);
  if (gone.length + missing.length > 0) await bumpConfigVersion(tx, workspaceId);
}

const maxAccounts = 200;

/** Inserts a tool under its own name, or with a number where another account has the name. */
async function insertTool(tx: Db, workspaceId: string, messengerId: string | null, tool: AnyTool): Promise<void> {
  for (let number = 1; number <= maxAccounts; number += 1) {
    const name = number === 1 ? tool.name : `${tool.name}_${number}`;
    const [inserted] = await tx
      .insert(tools)
      .values(listedRow({ workspaceId, mcpServerId: null }, { ...tool, name }))
      .onConflictDoNothing({ target: [tools.workspaceId, tools.name] })
      .returning({ id: tools.id });
    if (!inserted) continue;
    await tx.insert(messengerTools).values({ toolId: inserted.id, workspaceId, messengerId, base: tool.name });
    return;
  }
}

/** Workspaces whose tools a stopped server did not write. */
export async function syncAllMessengerTools(): Promise<void> {
  const withoutTools = await db()
    .selectDistinct({ workspaceId: messengers.workspaceId })
    .from(messengers)
    .leftJoin(messengerTools, and(eq(messengerTools.workspaceId, messengers.workspaceId), isNull(messengerTools.messengerId)))
    .where(isNull(messengerTools.toolId));
  for (const { workspaceId } of withoutTools) await db().transaction((tx) => syncMessengerTools(tx, workspaceId));
}
