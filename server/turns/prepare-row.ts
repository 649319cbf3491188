import { liveTool } from "@/server/tools/live-tools";
import { type PreparedCall, prepareCall } from "@/server/tools/prepare-call";
import { prepareClientCall } from "./client/client-tool";
import { sentences } from "./outcome";
import type { CallRow } from "./read/present-turn";
import type { TurnContext } from "./turn-context";

/** Resolves the tool of a call and parses its arguments, from the call's row as it is now. */
export function prepareRow(
  { scope, conversation, turn }: Pick<TurnContext, "scope" | "conversation"> & { turn: Pick<TurnContext["turn"], "machine"> },
  row: CallRow,
): PreparedCall {
  // The seal could not be opened, so the arguments are masked: they may be read but never run.
  if (row.sealedArguments !== null) return { kind: "failed", name: row.name, message: sentences.unreadable(row.name) };
  if (turn.machine) return prepareClientCall(scope.catalog, turn.machine, row);
  const call = { name: row.requestedName, carriedBy: row.carriedBy, arguments: row.rawArguments ?? row.arguments };
  return prepareCall(scope, call, (tool) => liveTool(conversation.workspaceId, tool));
}
