import "server-only";
import { eq } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db } from "@/db/client";
import {
  authProfiles,
  dataSources,
  delegates,
  mcpAuthorizations,
  mcpServers,
  mediaSettings,
  modelProviders,
  searchSettings,
  shellSettings,
  webhooks,
} from "@/db/schema";

type Sealed = string | null | undefined;

/** Settings that hold sealed texts, each with its plural and how to read them; of one workspace, or of all. */
const settings: readonly { noun: string; read: (tx: Db, workspaceId: string | null) => Promise<Sealed[]> }[] = [
  {
    noun: "model providers",
    read: async (tx, id) => (await tx.select().from(modelProviders).where(of(modelProviders, id))).map(({ keySealed }) => keySealed),
  },
  {
    noun: "media providers",
    read: async (tx, id) =>
      (await tx.select().from(mediaSettings).where(of(mediaSettings, id))).flatMap(({ providers }) => providers.map(({ key }) => key)),
  },
  {
    noun: "search providers",
    read: async (tx, id) =>
      (await tx.select().from(searchSettings).where(of(searchSettings, id))).flatMap(({ providers }) => providers.map(({ key }) => key)),
  },
  {
    noun: "MCP servers",
    read: async (tx, id) =>
      (await tx.select().from(mcpServers).where(of(mcpServers, id))).flatMap(({ argsSealed, envSealed, urlSealed, headersSealed }) => [
        argsSealed,
        envSealed,
        urlSealed,
        headersSealed,
      ]),
  },
  {
    noun: "sign-ins at MCP servers",
    read: async (tx, id) => {
      const rows = await tx
        .select({ client: mcpAuthorizations.clientSealed, tokens: mcpAuthorizations.tokensSealed })
        .from(mcpAuthorizations)
        .innerJoin(mcpServers, eq(mcpServers.id, mcpAuthorizations.serverId))
        .where(of(mcpServers, id));
      return rows.flatMap(({ client, tokens }) => [client, tokens]);
    },
  },
  {
    noun: "data sources",
    read: async (tx, id) => (await tx.select().from(dataSources).where(of(dataSources, id))).map(({ passwordSealed }) => passwordSealed),
  },
  {
    noun: "auth profiles",
    read: async (tx, id) => (await tx.select().from(authProfiles).where(of(authProfiles, id))).map(({ secretSealed }) => secretSealed),
  },
  {
    noun: "webhooks",
    read: async (tx, id) => (await tx.select().from(webhooks).where(of(webhooks, id))).map(({ secret }) => secret),
  },
  {
    noun: "pipelines",
    read: async (tx, id) => (await tx.select().from(delegates).where(of(delegates, id))).map(({ secret }) => secret),
  },
  {
    noun: "variables of commands",
    read: async (tx, id) =>
      (await tx.select().from(shellSettings).where(of(shellSettings, id))).map(({ sealedVariables }) => sealedVariables),
  },
];

const of = ({ workspaceId: column }: { workspaceId: AnyPgColumn }, workspaceId: string | null) =>
  workspaceId === null ? undefined : eq(column, workspaceId);

/** Reads the sealed texts of all settings, by noun. @param workspaceId null for every workspace */
export async function readSealedSettings(tx: Db, workspaceId: string | null): Promise<{ noun: string; sealed: string[] }[]> {
  return Promise.all(
    settings.map(async ({ noun, read }) => ({
      noun,
      sealed: (await read(tx, workspaceId)).filter((text): text is string => typeof text === "string"),
    })),
  );
}
