import { tools } from "@/db/schema";
import { db } from "@/server/platform/database/database";

/** Inserts the rows of a shell tool and a reading tool, for calls that tests record without running them. */
export async function buildRecordedTools(workspaceId: string): Promise<void> {
  const common = {
    workspaceId,
    title: "",
    description: "",
    source: "builtin",
    family: "f",
    concurrencySafe: true,
    inputSchema: {},
    schemaHash: "",
    defaultTier: "core",
    defaultTimeoutMs: 1_000,
  } as const;
  const shell = { name: "shell_execute", rawName: "shell_execute", effect: "destroy" } as const;
  const read = { name: "read_file", rawName: "read_file", effect: "read" } as const;
  await db()
    .insert(tools)
    .values([
      { ...common, ...shell, needs: ["shell"], aliases: ["bash"], primaryArgument: "command" },
      { ...common, ...read, needs: ["files"], primaryArgument: "path" },
    ]);
}
