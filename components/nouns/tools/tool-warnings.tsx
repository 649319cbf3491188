import { Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconArrowRight, IconCloudComputing, IconCloudOff, IconHistory, IconShieldQuestion } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { Tool } from "@/contracts/tools/tools";
import classes from "./tool-warnings.module.css";

/** Warnings about a tool: dangerous, foreign, unavailable, or with results that the model does not read. */
export function ToolWarnings({ tool }: { tool: Tool }) {
  const { availability, dangerous, mode, returnDirect } = tool;
  return (
    <>
      {mode === "provider" ? (
        <StatusBadge tone="unavailable" icon={IconCloudComputing}>
          Run by the provider
        </StatusBadge>
      ) : null}
      {returnDirect ? (
        <StatusBadge tone="running" icon={IconArrowRight}>
          Returns directly
        </StatusBadge>
      ) : null}
      {dangerous ? (
        <StatusBadge tone="ask" icon={IconAlertTriangle}>
          Dangerous
        </StatusBadge>
      ) : null}
      {tool.findings.length > 0 ? (
        <StatusBadge tone="ask" icon={IconShieldQuestion}>
          {tool.findings.length === 1 ? "1 finding" : `${tool.findings.length} findings`}
        </StatusBadge>
      ) : null}
      {availability.status === "available" ? null : (
        <Tooltip label={spellHidden(availability.reason) ?? "No reason was given."}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
          <span className={classes.reason} role="note" aria-label={`${availability.status}: ${availability.reason ?? ""}`} tabIndex={0}>
            {availability.status === "stale" ? (
              <StatusBadge tone="unavailable" icon={IconHistory}>
                Stale
              </StatusBadge>
            ) : (
              <StatusBadge tone="unavailable" icon={IconCloudOff}>
                Unavailable
              </StatusBadge>
            )}
          </span>
        </Tooltip>
      )}
    </>
  );
}
