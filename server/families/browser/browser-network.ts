import "server-only";
import { once } from "node:events";
import { createServer } from "node:net";
import { conversationNetwork, endConversationNetwork } from "@/server/capabilities/sandbox/network/conversation-network";
import { hostProxy, type OwnServers, type ProxyEvent, type ProxyGrant } from "@/server/capabilities/sandbox/network/host-proxy";

/** The way of one browser to the network: a proxy that checks the address of every connection. */
export type BrowserNetwork = {
  /** Words in front of bubblewrap that enter the browser's network namespace; null without a sandbox. */
  enter: readonly string[] | null;
  /** Address of the proxy, without credentials. */
  server: string;
  /** Credentials that the proxy asks for; null in a namespace that holds nothing but the browser. */
  credentials: { username: string; password: string } | null;
  /** Replaces the private hosts that the browser may reach. Connections to other hosts go on. */
  allow(privateHosts: readonly string[]): void;
  close(): Promise<void>;
};

/** Addresses that a browser reaches beside the public internet, and the listener for its connections. */
export type Reach = {
  privateHosts: readonly string[];
  /** The servers in the sandbox of the browser's conversation. */
  ownServers: OwnServers;
  onConnection: (event: ProxyEvent) => void;
};

const howToAsk = "An admin can allow it.";

/** Opens the network of a browser in the sandbox: a namespace of its own, whose only way out is the proxy. */
export async function boxedNetwork(key: string, { privateHosts, ownServers, onConnection }: Reach): Promise<BrowserNetwork> {
  const network = await conversationNetwork(key);
  const hosts = changeableHosts(privateHosts);
  // Only the browser is in the namespace, and Chromium takes no credentials for a proxy from its command line.
  const { url, recheck } = await network.proxy("any", { ...hosts.grant, ownServers, howToAsk, needsCredentials: false, onConnection });
  return {
    enter: network.enter,
    server: `http://${new URL(url).host}`,
    credentials: null,
    allow: (listed) => {
      hosts.change(listed);
      recheck();
    },
    close: () => endConversationNetwork(key),
  };
}

/** Opens the network of a browser on a machine without a sandbox: a proxy on the loopback address that asks for credentials. */
export async function plainNetwork({ privateHosts, ownServers, onConnection }: Reach): Promise<BrowserNetwork> {
  const listening = createServer().listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  if (!address || typeof address === "string") throw new Error("The browser's proxy listens on no port");
  const proxy = hostProxy(listening);
  const hosts = changeableHosts(privateHosts);
  const grant = proxy.grant({ hosts: "any", ...hosts.grant, ownServers, howToAsk, onConnection });
  const [username = "", password = ""] = grant.credentials.split(":");
  return {
    enter: null,
    server: `http://127.0.0.1:${address.port}`,
    credentials: { username, password },
    allow: (listed) => {
      hosts.change(listed);
      grant.recheck();
    },
    close: async () => proxy.close(),
  };
}

/** A list of hosts that the proxy reads at each connection, because an admin may change it while the browser runs. */
function changeableHosts(initial: readonly string[]): { grant: Pick<ProxyGrant, "privateHosts">; change(hosts: readonly string[]): void } {
  let current = initial;
  return {
    grant: { privateHosts: () => current },
    change: (hosts) => {
      current = hosts;
    },
  };
}
