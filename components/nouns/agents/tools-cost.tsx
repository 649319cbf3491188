import shared from "@/components/kit/ui/shared.module.css";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import type { Agent, AgentToolsPreview } from "@/contracts/agents/agents";
import classes from "./agents.module.css";
import { CostBySource } from "./cost-by-source";

type ToolsCostProps = { ticked: number; mode: Agent["disclosureMode"]; preview: AgentToolsPreview | undefined };

const maxNames = 5;

/** Number of selected tools and their tokens per request: now, by source, and in the other disclosure modes. */
export function ToolsCost({ ticked, mode, preview }: ToolsCostProps) {
  return (
    <div className={`${classes.sum} ${shared.surface} ${shared.wrapping}`} aria-live="polite">
      <strong>{selectionWords(ticked, mode)}</strong>{" "}
      {preview?.joinsAllMcp ? "No MCP tool is ticked, so all enabled MCP tools are included. " : ""}
      {preview ? (
        <>
          <br />
          <TokenCount tokens={preview.tokens.tools + preview.tokens.directory} /> per request: {preview.advertised} Core (
          <TokenCount tokens={preview.tokens.tools} unit={false} />) and {preview.inDirectory} in the directory (
          <TokenCount tokens={preview.tokens.directory} unit={false} />
          ).
          <br />
          <OtherMode mode={mode} modes={preview.modes} />
          {preview.budget.demoted.length > 0 ? <Demoted budget={preview.budget} /> : null}
          <CostBySource preview={preview} />
        </>
      ) : null}
    </div>
  );
}

/** The cost of the mode beside the other one that shows tools. */
function OtherMode({ mode, modes }: { mode: Agent["disclosureMode"]; modes: AgentToolsPreview["modes"] }) {
  if (mode === "none") return null;
  const other = mode === "progressive" ? "legacy" : "progressive";
  return (
    <>
      <TokenCount tokens={modes[mode]} /> instead of <TokenCount tokens={modes[other]} unit={false} />
      {mode === "legacy" ? " with progressive disclosure" : ""}.
    </>
  );
}

/** The Core tools that the budget moves to the directory. */
function Demoted({ budget: { tokens, demoted } }: { budget: AgentToolsPreview["budget"] }) {
  const more = demoted.length - maxNames;
  return (
    <>
      <br />
      Core tools cost more than <TokenCount tokens={tokens} />. The least used ones stay in the directory until enabled:{" "}
      {demoted.slice(0, maxNames).join(", ")}
      {more > 0 ? ` and ${more} more` : ""}.
    </>
  );
}

function selectionWords(ticked: number, mode: Agent["disclosureMode"]): string {
  if (mode === "none") return "The agent has no tools. Settings change that.";
  if (ticked === 0) return "No tools ticked: the agent gets all enabled tools.";
  return `${ticked} ${ticked === 1 ? "tool" : "tools"} ticked.`;
}
