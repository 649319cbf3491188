"use client";

import { Button, NativeSelect } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DrawerFrame } from "@/components/kit/ui/overlays/drawer-frame";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import { type McpConfigFormat, mcpConfigFormats } from "@/contracts/browser/mcp/mcp-imports";
import { mcpServerEndpoints } from "@/contracts/browser/mcp/mcp-servers";
import { leftReferences, leftServers } from "./left-references";
import classes from "./mcp-servers.module.css";

const programs: Record<McpConfigFormat, { name: string; file: string }> = {
  "claude-desktop": { name: "Claude Desktop", file: "claude_desktop_config.json" },
  "claude-code": { name: "Claude Code", file: ".mcp.json" },
  vscode: { name: "VS Code", file: ".vscode/mcp.json" },
  cursor: { name: "Cursor", file: ".cursor/mcp.json" },
  gemini: { name: "Gemini CLI", file: ".gemini/settings.json" },
  zed: { name: "Zed", file: "settings.json" },
  windsurf: { name: "Windsurf", file: "mcp_config.json" },
  registry: { name: "MCP registry, a server.json each", file: "servers.json" },
};

/** The servers as another program's configuration: to copy or download, with the names of the secrets that it leaves out. */
export function ExportServers({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [format, setFormat] = useState<McpConfigFormat>("claude-code");
  return (
    <DrawerFrame opened={opened} onClose={onClose} size="40rem" title="Export servers" holds="story">
      <NativeSelect
        label="For"
        data={mcpConfigFormats.map((value) => ({ value, label: spellHidden(`${programs[value].name} (${programs[value].file})`) }))}
        value={format}
        onChange={(event) => setFormat(mcpConfigFormats.find((known) => known === event.currentTarget.value) ?? format)}
      />
      {opened ? <Exported format={format} /> : null}
    </DrawerFrame>
  );
}

function Exported({ format }: { format: McpConfigFormat }) {
  const exported = useQuery({ ...serverQueries.exported(format), placeholderData: keepPreviousData });
  if (exported.isPending) return <RowSkeletons rows={3} height={4} what="the configuration" />;
  if (!exported.data)
    return (
      <ErrorState error={exported.error} what="the configuration" retry={() => void exported.refetch()} retrying={exported.isFetching} />
    );
  const text = JSON.stringify(exported.data, null, 2);
  const left = leftReferences(exported.data);
  const leftOut = leftServers(exported.data);
  return (
    <section className={classes.exported} aria-label="Configuration">
      {left.length === 0 ? (
        <p className={shared.hint}>No server has a secret.</p>
      ) : (
        <>
          <p className={shared.hint}>Secrets are left out. Supply these values in the other program:</p>
          <ul className={classes.left} aria-label="Values to supply">
            {left.map((name) => (
              <li key={name}>
                <CodeText>{name}</CodeText>
              </li>
            ))}
          </ul>
        </>
      )}
      {leftOut.length > 0 ? (
        <ul className={classes.left} aria-label="Servers that are left out">
          {leftOut.map(({ server, reason }) => (
            <li key={server}>
              <CodeText>{server}</CodeText> is left out. <RevealedText text={reason} />
            </li>
          ))}
        </ul>
      ) : null}
      <CodeBlock label="Configuration" text={text} maxLines={24} nowrap />
      <div className={classes.buttons}>
        <Button
          component="a"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          href={`${mcpServerEndpoints.exportConfig.path}?format=${format}`}
          download={programs[format].file.split("/").at(-1)}
        >
          Download
        </Button>
      </div>
    </section>
  );
}
