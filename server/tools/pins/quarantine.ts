import type { tools } from "@/db/schema";

type Quarantined = Pick<typeof tools.$inferSelect, "quarantine" | "pinHash">;
type Named = Quarantined & { name: string; sourceName: string | null };

/** Returns whether models must not see a tool's definition: nobody has accepted it, or its change was rejected. */
export function isWithheld({ quarantine, pinHash }: Quarantined): boolean {
  return quarantine === "rejected" || (quarantine === "pending" && pinHash === null);
}

/** Says in the console and the listings why a quarantined tool cannot be called. */
export function quarantineReason({ quarantine, pinHash }: Quarantined, alias: string | null): string {
  if (quarantine === "rejected") return `A person rejected the definition that the MCP server "${alias}" lists.`;
  return pinHash === null
    ? `The tool of the MCP server "${alias}" is new and has to be reviewed before it can be called.`
    : `The MCP server "${alias}" changed this tool. The change has to be reviewed before the tool can be called.`;
}

/** Tells the model why its call did not run, and what helps. */
export function quarantineSentence(tool: Named): string {
  const why = quarantineReason(tool, tool.sourceName);
  const next =
    tool.quarantine === "rejected"
      ? "Go on without it."
      : "Go on without it, and tell the user that a person has to approve the change in Handrail. Calling it again does not help before that.";
  return `${tool.name} is quarantined, and the call did not run. ${why} ${next}`;
}

/** Tells the model that this replica's connection has another definition than the accepted one. */
export function otherDefinitionSentence({ name, sourceName }: { name: string; sourceName: string | null }): string {
  return `${name} cannot be called right now: the MCP server "${sourceName}" lists another definition of it than the accepted one. Go on without it, or try again later.`;
}
