import { and, asc, eq } from "drizzle-orm";
import { dataSources } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { Check, CheckResult } from "@/server/platform/extension-points/doctor-checks";
import type { DataSourceRow } from "./connections";
import { probeDataSource } from "./test-data-source";

/** Connects to each enabled data source of a workspace. */
export const dataSourcesCheck: Check = {
  name: "Data sources",
  isOffline: false,
  run: async (workspaceId) => {
    const own = and(eq(dataSources.workspaceId, workspaceId), eq(dataSources.enabled, true));
    const enabled = await db().select().from(dataSources).where(own).orderBy(asc(dataSources.name));
    const silent = (await Promise.all(enabled.map(checkSource))).filter((result) => result !== null);
    const sentence =
      enabled.length === 0
        ? "No data source is enabled; agents query none."
        : `${enabled.length - silent.length} of ${enabled.length} enabled data sources answer.`;
    return [{ name: "Data sources", status: "ok", sentence }, ...silent];
  },
};

async function checkSource(row: DataSourceRow): Promise<CheckResult | null> {
  const { success, message } = await probeDataSource(row);
  if (success) return null;
  return {
    name: `Data source ${row.name}`,
    status: "warning",
    sentence: message,
    wayOut: "Test the data source and correct its settings.",
    link: { label: row.name, path: `/data-sources?source=${row.id}` },
  };
}
