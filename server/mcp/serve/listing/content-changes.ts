import "server-only";
import { mcpConnections } from "@/server/mcp/connect/connections/connections";
import type { ServerChange } from "@/server/mcp/connect/session/server-changes";
import type { McpClient } from "../client/mcp-client";
import { findResourceOwner, offeringServers } from "../contents/upstream-contents";

/** Follows what the servers of a client's agent announce about their contents. */
export class ContentChanges {
  private readonly heard = new Map<string, () => void>();
  private readonly watched = new Map<string, () => void>();

  constructor(
    private readonly client: McpClient,
    private readonly tell: (change: ServerChange) => void,
  ) {}

  /** Follows the servers of now, and these resources. */
  async follow(uris: readonly string[]): Promise<void> {
    const wanted = new Map<string, string>();
    for (const uri of uris) {
      const owner = this.watched.has(uri) ? null : await findResourceOwner(this.client, uri).catch(() => null);
      if (owner) wanted.set(uri, owner);
    }
    for (const id of [...(await offeringServers(this.client)), ...wanted.values()]) this.hear(id);
    for (const [uri, owner] of wanted) {
      const end = mcpConnections().find(owner)?.watch(uri);
      if (end) this.watched.set(uri, end);
    }
    for (const [uri, end] of this.watched) {
      if (uris.includes(uri)) continue;
      end();
      this.watched.delete(uri);
    }
  }

  end(): void {
    for (const end of [...this.heard.values(), ...this.watched.values()]) end();
  }

  private hear(id: string): void {
    if (this.heard.has(id)) return;
    const end = mcpConnections()
      .find(id)
      ?.onChange((change) => {
        // A server may announce what nobody here has asked for.
        if (change.kind !== "tools" && (change.kind !== "resource" || this.watched.has(change.uri))) this.tell(change);
      });
    if (end) this.heard.set(id, end);
  }
}
