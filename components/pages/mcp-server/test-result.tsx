import { IconPlugConnected, IconPlugConnectedX } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { CureButtons } from "@/components/nouns/mcp-servers/cure-buttons";
import { hintSentence } from "@/components/nouns/mcp-servers/hint-sentence";
import type { McpCure, McpTestResult } from "@/contracts/mcp/mcp-servers";
import classes from "./mcp-servers.module.css";

/** Result of a connection test; what the sandbox kept from the program can be allowed from here. */
export function TestResult({ result, onAllow }: { result: McpTestResult; onAllow: (cure: McpCure) => void }) {
  if (!result.ok) {
    return (
      <div className={classes.result} role="alert">
        <p className={classes.resultLine}>
          <StatusBadge tone="deny" icon={IconPlugConnectedX}>
            Failed
          </StatusBadge>
          after {duration(result.latencyMs)}
        </p>
        <p className={shared.wrapping}>
          <RevealedText text={result.error ?? "No reason given."} />
        </p>
        <CureButtons cures={result.cures} said={result.error} onAllow={onAllow} />
        {result.stderr ? <CodeBlock label="Last lines of stderr" text={result.stderr} maxLines={10} /> : null}
      </div>
    );
  }
  return (
    <div className={classes.result} role="status">
      <p className={classes.resultLine}>
        <StatusBadge tone="allow" icon={IconPlugConnected}>
          Connected
        </StatusBadge>
        in {duration(result.latencyMs)} · {result.tools.length} {result.tools.length === 1 ? "tool" : "tools"}
      </p>
      {result.hints.tools > 0 ? <p className={shared.wrapping}>{hintSentence(result.hints)}</p> : null}
      {result.notes.map((note) => (
        <p key={note} className={shared.wrapping}>
          <RevealedText text={note} />
        </p>
      ))}
      <ul className={classes.resultTools}>
        {result.tools.map((tool) => (
          <li key={tool.name}>
            <CodeText>
              <RevealedText text={tool.name} />
            </CodeText>
          </li>
        ))}
      </ul>
    </div>
  );
}

const duration = (milliseconds: number) =>
  milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
