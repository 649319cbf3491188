"use client";

import { IconPlugX } from "@tabler/icons-react";
import { DetailDrawer } from "@/components/ui/detail-drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { MachineText } from "@/components/ui/machine-text";
import type { McpServer } from "@/contracts/mcp-servers";
import { NewServer } from "./new-server";
import { fieldsOf } from "./server-draft";
import { ServerForm } from "./server-form";
import { ServerStory } from "./server-story";

type ServerDrawerProps = {
  /** Id of a server, or `new`. */
  id: string | null;
  isEditing: boolean;
  servers: readonly McpServer[];
  onOpen: (id: string) => void;
  onEdit: (isEditing: boolean) => void;
  onClose: () => void;
};

/** A server's story, its settings, or the settings of a new one. */
export function ServerDrawer({ id, isEditing, servers, onOpen, onEdit, onClose }: ServerDrawerProps) {
  const server = servers.find((candidate) => candidate.id === id || candidate.alias === id);
  return (
    <DetailDrawer
      opened={id !== null}
      onClose={onClose}
      title={titleOf(id, server, isEditing)}
      holds={id === "new" || (server && isEditing) ? "form" : "story"}
    >
      {id === "new" ? (
        <NewServer onSaved={({ id: added }) => onOpen(added)} onCancel={onClose} />
      ) : !server ? (
        <EmptyState icon={IconPlugX} title="There is no such server">
          It may have been removed, or the link is not complete.
        </EmptyState>
      ) : isEditing ? (
        <ServerForm
          key={server.id}
          initial={fieldsOf(server)}
          server={server}
          onSaved={() => onEdit(false)}
          onCancel={() => onEdit(false)}
        />
      ) : (
        <ServerStory key={server.id} server={server} onEdit={() => onEdit(true)} onRemoved={onClose} />
      )}
    </DetailDrawer>
  );
}

function titleOf(id: string | null, server: McpServer | undefined, isEditing: boolean) {
  if (id === "new") return "Add an MCP server";
  if (!server) return "MCP server";
  const name = <MachineText>{server.alias}</MachineText>;
  return isEditing ? <>Edit {name}</> : name;
}
