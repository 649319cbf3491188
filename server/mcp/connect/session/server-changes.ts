import type { Client } from "@modelcontextprotocol/client";

/** Changes that a server tells. */
export type ServerChange = { kind: "tools" } | { kind: "resources" } | { kind: "prompts" } | { kind: "resource"; uri: string };

type Listener = (change: ServerChange) => void;

const debounceMilliseconds = 300;

/** The changes that one server announces in a session. */
export class ServerChanges {
  private readonly listeners = new Set<Listener>();

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  tell(change: ServerChange): void {
    for (const listener of this.listeners) listener(change);
  }

  /** The client's option that announces changed lists, in both protocols. */
  handlers() {
    const of = (kind: "tools" | "resources" | "prompts") => ({
      autoRefresh: false as const,
      debounceMs: debounceMilliseconds,
      onChanged: () => this.tell({ kind }),
    });
    return { tools: of("tools"), resources: of("resources"), prompts: of("prompts") };
  }

  /** Hears of changed resources that the client has subscribed to. */
  attach(client: Client): void {
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => this.tell({ kind: "resource", uri: params.uri }));
  }
}

/** Asks a server to tell when a resource changes. @returns a function that takes it back */
export async function subscribe(client: Client, uri: string, options: { signal: AbortSignal; timeout: number }): Promise<() => void> {
  if (client.getProtocolEra() === "modern") {
    const subscription = await client.listen({ resourceSubscriptions: [uri] }, options);
    return () => void subscription.close().catch(() => {});
  }
  if (!client.getServerCapabilities()?.resources?.subscribe) return () => {};
  await client.subscribeResource({ uri }, options);
  return () => void client.unsubscribeResource({ uri }, options).catch(() => {});
}
