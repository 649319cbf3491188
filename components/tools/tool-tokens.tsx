import { TokenCount } from "@/components/ui/token-count";
import type { Tool } from "@/contracts/tools";
import { otherTier, tierNames } from "./sum-tokens";
import classes from "./tools.module.css";

/** What a tool costs on each model step now, and what it would cost in the other tier. */
export function ToolTokens({ tool }: { tool: Tool }) {
  const other = otherTier(tool.tier);
  return (
    <span className={classes.tokens}>
      <TokenCount tokens={tool.tokens[tool.tier]} />
      <span className={classes.otherTokens}>
        <TokenCount tokens={tool.tokens[other]} unit={false} /> in {tierNames[other]}
      </span>
    </span>
  );
}
