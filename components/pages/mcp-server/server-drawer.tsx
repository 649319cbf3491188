"use client";

import { IconLock, IconPlugX } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { useIdlePreload } from "@/components/kit/ui/use-idle-preload";
import { toServerFields } from "@/components/nouns/mcp-servers/server-draft";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import { ServerDetails } from "./server-details";

const loadNew = () => import("./new-server");
const NewServer = dynamic(() => loadNew().then((file) => file.NewServer), { ssr: false, loading: FormSkeleton });
const ServerForm = dynamic(() => import("./server-form").then((file) => file.ServerForm), { ssr: false, loading: FormSkeleton });

type ServerDrawerProps = {
  /** Id of a server, or `new`. */
  id: string | null;
  isEditing: boolean;
  /** Why the person may not change servers. */
  refusal: string | null;
  servers: readonly McpServer[];
  onOpen: (id: string) => void;
  onEdit: (isEditing: boolean) => void;
  onClose: () => void;
};

/** Details of a server, its settings, or the form for a new one. */
export function ServerDrawer({ id, isEditing, refusal, servers, onOpen, onEdit, onClose }: ServerDrawerProps) {
  // The code of the new-server form contains the code of the edit form.
  useIdlePreload(loadNew);
  const server = servers.find((candidate) => candidate.id === id || candidate.alias === id);
  return (
    <DetailDrawer
      opened={id !== null}
      onClose={onClose}
      title={titleOf(id, server, isEditing)}
      holds={(id === "new" && refusal === null) || (server && isEditing) ? "form" : "story"}
    >
      {id === "new" && refusal !== null ? (
        <EmptyState icon={IconLock} title="Servers are added by admins">
          {refusal}
        </EmptyState>
      ) : id === "new" ? (
        <NewServer onSaved={({ id: added }) => onOpen(added)} onCancel={onClose} />
      ) : !server ? (
        <EmptyState icon={IconPlugX} title="Server not found">
          The server was removed, or the address is wrong.
        </EmptyState>
      ) : isEditing ? (
        <ServerForm
          key={server.id}
          initial={toServerFields(server)}
          server={server}
          onSaved={() => onEdit(false)}
          onCancel={() => onEdit(false)}
        />
      ) : (
        <ServerDetails key={server.id} server={server} onEdit={() => onEdit(true)} onRemoved={onClose} />
      )}
    </DetailDrawer>
  );
}

function titleOf(id: string | null, server: McpServer | undefined, isEditing: boolean) {
  if (id === "new") return "Add an MCP server";
  if (!server) return "MCP server";
  const name = <CodeText>{server.alias}</CodeText>;
  return isEditing ? (
    <>
      Edit <RevealedText text={name} />
    </>
  ) : (
    name
  );
}
