import { IconPlugConnected, IconPlugConnectedX } from "@tabler/icons-react";
import { MachineBlock } from "@/components/ui/machine-block";
import { MachineText } from "@/components/ui/machine-text";
import { RevealedText } from "@/components/ui/revealed-text";
import { StatusBadge } from "@/components/ui/status-badge";
import type { McpTestResult } from "@/contracts/mcp-servers";
import classes from "./mcp-servers.module.css";

/** What came of trying to connect. */
export function TestResult({ result }: { result: McpTestResult }) {
  if (!result.ok) {
    return (
      <div className={classes.result} role="alert">
        <p className={classes.resultLine}>
          <StatusBadge tone="deny" icon={IconPlugConnectedX}>
            It does not work
          </StatusBadge>
          after {duration(result.latencyMs)}
        </p>
        <p className={classes.resultWords}>{result.error ?? "It gave no reason."}</p>
        {result.stderr ? <MachineBlock label="Last lines of its error stream" text={result.stderr} maxLines={10} /> : null}
      </div>
    );
  }
  return (
    <div className={classes.result} role="status">
      <p className={classes.resultLine}>
        <StatusBadge tone="allow" icon={IconPlugConnected}>
          It works
        </StatusBadge>
        in {duration(result.latencyMs)}, with {result.tools.length} {result.tools.length === 1 ? "tool" : "tools"}
      </p>
      <ul className={classes.resultTools}>
        {result.tools.map((tool) => (
          <li key={tool.name}>
            <MachineText>
              <RevealedText text={tool.name} />
            </MachineText>
          </li>
        ))}
      </ul>
    </div>
  );
}

const duration = (milliseconds: number) =>
  milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
