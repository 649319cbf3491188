import shared from "@/components/kit/ui/shared.module.css";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import { otherTier, tierNames } from "@/components/nouns/tools/sum-tokens";
import type { Tool } from "@/contracts/tools/tools";
import classes from "./tools.module.css";

/** Tokens of a tool per model step, now and in the other tier. */
export function ToolTokens({ tool }: { tool: Tool }) {
  const other = otherTier(tool.tier);
  return (
    <span className={classes.tokens}>
      <TokenCount tokens={tool.tokens[tool.tier]} />
      <span className={shared.small}>
        <TokenCount tokens={tool.tokens[other]} unit={false} /> in {tierNames[other]}
      </span>
    </span>
  );
}
