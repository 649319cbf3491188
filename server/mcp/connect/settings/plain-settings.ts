import type { mcpServers } from "@/db/schema";

/** Settings that are stored as they were sent; secrets are sealed and the tier has a column of another name. */
const names = [
  "alias",
  "transport",
  "command",
  "cwd",
  "network",
  "allowedHosts",
  "readablePaths",
  "outsideSandbox",
  "parallelCalls",
  "enabled",
  "tierPerTool",
  "allowedTools",
  "excludedTools",
  "trustHints",
  "allowSampling",
  "questions",
  "offerContents",
  "expectedTools",
  "expectedVersion",
  "packageDigest",
  "connectTimeoutSeconds",
  "callTimeoutSeconds",
  "sessionScope",
  "personalSignIn",
  "sessionIdleSeconds",
] as const;

/** The settings of a server without secrets, as the API, the audit and a patch see them. */
export type PlainSettings = Pick<typeof mcpServers.$inferSelect, (typeof names)[number]>;

export function plainSettings(row: PlainSettings): PlainSettings {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as PlainSettings;
}
