import type { HintCounts } from "@/contracts/mcp/server-pins";
import type { ToolHints } from "@/contracts/tools/tool-changes";
import { hintEffect } from "@/server/tools/pins/hint-effect";

/** Counts what the hints of a server's tools would make of them, if an admin trusted the hints. */
export function countHints(tools: readonly { annotations?: ToolHints | null | undefined }[]): HintCounts {
  const effects = tools.map(({ annotations }) => hintEffect(annotations, true));
  const saysSo = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
  return {
    tools: tools.length,
    readOnly: effects.filter((effect) => effect === "read").length,
    nonDestructive: effects.filter((effect) => effect === "write").length,
    destructive: saysSo.length,
  };
}
