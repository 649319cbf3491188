import shared from "@/components/kit/ui/shared.module.css";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import type { AgentToolsPreview } from "@/contracts/agents/agents";
import classes from "./cost-by-source.module.css";

/** Sources drawn by themselves; the others are drawn together. */
const maxSources = 6;

type Part = { label: string; tokens: number; facts: string };

/** Tokens per request as one bar, a part for each source of tools and one for the directory. */
export function CostBySource({ preview: { sources, tokens } }: { preview: AgentToolsPreview }) {
  const parts = partsOf(sources, tokens.directory);
  const total = parts.reduce((sum, part) => sum + part.tokens, 0);
  if (total === 0) return null;
  return (
    <figure className={classes.figure}>
      <figcaption className={shared.small}>Tokens per request by source</figcaption>
      <div className={classes.bar} aria-hidden>
        {parts.map(({ label, tokens }, place) => (
          <span key={label} className={classes.part} data-place={place} style={{ flexGrow: tokens }} title={label} />
        ))}
      </div>
      <ul className={classes.legend}>
        {parts.map(({ label, tokens, facts }, place) => (
          <li key={label}>
            <span className={classes.key} data-place={place} aria-hidden />
            <span className={shared.oneLine}>{label}</span>
            <TokenCount tokens={tokens} unit={false} />
            <span className={shared.dim}>{facts}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function partsOf(sources: AgentToolsPreview["sources"], directoryTokens: number): Part[] {
  const shown = sources.filter(({ tokens }) => tokens > 0);
  const others = shown.slice(maxSources);
  const inDirectory = sources.reduce((sum, source) => sum + source.inDirectory, 0);
  const parts = shown
    .slice(0, maxSources)
    .map(({ source, tokens, advertised }) => ({ label: source, tokens, facts: toolsWords(advertised) }));
  if (others.length > 0) {
    const tokens = others.reduce((sum, source) => sum + source.tokens, 0);
    const tools = others.reduce((sum, source) => sum + source.advertised, 0);
    parts.push({ label: `${others.length} more sources`, tokens, facts: toolsWords(tools) });
  }
  if (directoryTokens > 0) parts.push({ label: "Directory", tokens: directoryTokens, facts: toolsWords(inDirectory) });
  return parts;
}

const toolsWords = (tools: number): string => `${tools} ${tools === 1 ? "tool" : "tools"}`;
