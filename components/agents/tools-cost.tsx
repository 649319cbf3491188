import { TokenCount } from "@/components/ui/token-count";
import type { AgentToolsPreview } from "@/contracts/agents";
import classes from "./agents.module.css";

type ToolsCostProps = { ticked: number; preview: AgentToolsPreview | undefined };

/** Number of selected tools and their tokens per request. */
export function ToolsCost({ ticked, preview }: ToolsCostProps) {
  return (
    <div className={classes.sum} aria-live="polite">
      <strong>
        {ticked === 0 ? "No tools ticked: the agent gets all enabled tools." : `${ticked} ${ticked === 1 ? "tool" : "tools"} ticked.`}
      </strong>{" "}
      {preview?.joinsAllMcp ? "No MCP tool is ticked, so all enabled MCP tools are included. " : ""}
      {preview ? (
        <>
          <br />
          <TokenCount tokens={preview.tokens.tools + preview.tokens.directory} /> per request: {preview.advertised} Core (
          <TokenCount tokens={preview.tokens.tools} unit={false} />) and {preview.inDirectory} in the directory (
          <TokenCount tokens={preview.tokens.directory} unit={false} />
          ).
        </>
      ) : null}
    </div>
  );
}
