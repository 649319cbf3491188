import "server-only";
import type { Socket } from "node:net";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import type { RegistryRoute } from "../../package-registries/registry-routes";
import { type PortForwards, portForwards, type UsedForwards } from "./forward-ports";
import { coversHost, hostFault, parseGrantedHost } from "./granted-hosts";
import { type HostProxy, hostProxy, type OwnServers, type ProxyGrant } from "./host-proxy";
import { type NamespaceConnector, namespaceConnector } from "./namespace-connector";
import { listenInNamespace } from "./namespace-listener";
import { type NetworkHolder, startNetworkHolder } from "./network-holder";
import { networkTroubles } from "./network-troubles";
import { listeningPorts } from "./own-servers";
import { proxyEnvironment } from "./proxy-environment";

export type CallProxy = {
  /** Address of the proxy with the credentials of this call. */
  url: string;
  environment: Record<string, string>;
  /** Returns sentences about the connections that failed so far. */
  troubles(): string[];
  /** Ends connections to private hosts that the grant allows no longer. */
  recheck(): void;
  /** Ends the grant and its connections. */
  close(): void;
};

export type ConversationNetwork = {
  /** Words in front of bwrap; bwrap then runs without --unshare-net. */
  enter: readonly string[];
  /**
   * Opens a proxy for this call only, which listens inside the conversation's network namespace.
   * @throws AppError `invalid` for an entry that names no host
   */
  proxy(hosts: ProxyGrant["hosts"], options?: Omit<ProxyGrant, "hosts">): Promise<CallProxy>;
  /** Opens ports in the namespace that lead to `host:port` pairs outside, also private ones, by any protocol over TCP. */
  forward(entries: readonly string[]): Promise<UsedForwards>;
};

type Network = {
  holder: NetworkHolder;
  proxy: Promise<{ server: HostProxy; port: number }> | null;
  /** Port of the proxy, once it listens. */
  proxyPort: number | null;
  connector: NamespaceConnector;
  forwards: PortForwards;
  usedAt: number;
};

const lookMilliseconds = 60_000;
const idleMilliseconds = 600_000;

const networks = () =>
  processWide("sandbox.networks", () => {
    setInterval(() => void endIdleNetworks(idleMilliseconds), lookMilliseconds).unref();
    return new Map<string, Promise<Network>>();
  });

/**
 * Returns the network of a conversation: a namespace shared by its commands only. The first call creates the namespace,
 * so call this function only for a tool call that needs a network.
 * @throws AppError `unavailable` where the system refuses
 */
export async function conversationNetwork(conversationId: string): Promise<ConversationNetwork> {
  const network = await networkOf(conversationId);
  return {
    enter: network.holder.enter,
    proxy: async (hosts, options = {}) => {
      const fault = hosts === "any" ? null : hosts.map(hostFault).find((found) => found !== null);
      if (fault) throw new AppError("invalid", fault);
      const { server, port } = await proxyOf(network);
      const troubles = networkTroubles();
      const { credentials, recheck, close } = server.grant({
        hosts,
        ...options,
        onConnection: (event) => {
          troubles.note(event);
          options.onConnection?.(event);
        },
      });
      const url = `http://${credentials}@127.0.0.1:${port}`;
      const environment = { ...proxyEnvironment(url), ...registryEnvironment(hosts, options.registries ?? []) };
      return { url, environment, troubles: troubles.sentences, recheck, close };
    },
    forward: network.forwards.use,
  };
}

/**
 * Returns the network for one call. Creates one when the call needs it, joins an existing one (a background server may
 * listen there), and returns null otherwise.
 */
export async function callNetwork(conversationId: string, { isNeeded }: { isNeeded: boolean }): Promise<ConversationNetwork | null> {
  return isNeeded || networks().has(conversationId) ? conversationNetwork(conversationId) : null;
}

/** Returns the variables that lead package programs to the registries whose public host is granted. */
function registryEnvironment(hosts: ProxyGrant["hosts"], registries: readonly RegistryRoute[]): Record<string, string> {
  const granted = hosts === "any" ? null : hosts.flatMap((entry) => parseGrantedHost(entry) ?? []);
  const reached = registries.filter(({ host }) => granted === null || coversHost(granted, host, 80));
  return Object.assign({}, ...reached.map(({ environment }) => environment));
}

/** Networks that are ready, for callers that cannot wait. */
const readyNetworks = () => processWide("sandbox.readyNetworks", () => new Map<string, Network>());

/** Returns the ports on which the conversation's own programs listen in its sandbox, on this replica. */
export function ownPorts(conversationId: string): readonly number[] {
  const network = readyNetworks().get(conversationId);
  return network ? listeningPorts(network.holder.pid).filter((port) => port !== network.proxyPort) : [];
}

/** Connects to a server of the conversation in its sandbox. @throws AppError `unavailable` */
async function connectToOwnServer(conversationId: string, port: number): Promise<Socket> {
  const network = readyNetworks().get(conversationId);
  if (!network)
    throw new AppError("unavailable", `Nothing listens on port ${port} in this conversation's sandbox any more. Start the server again.`);
  network.usedAt = performance.now();
  return network.connector.connect(port);
}

/** Returns the servers of a conversation in its sandbox, as they are at each connection. */
export function ownServersOf(conversationId: string): OwnServers {
  return {
    has: (port) => ownPorts(conversationId).includes(port),
    connect: (port) => connectToOwnServer(conversationId, port),
  };
}

/** Ends the network of a deleted conversation, with every connection through its proxy. */
export async function endConversationNetwork(conversationId: string): Promise<void> {
  const starting = networks().get(conversationId);
  networks().delete(conversationId);
  readyNetworks().delete(conversationId);
  const network = await starting?.catch(() => null);
  if (network) await end(network);
}

/** Ends all networks, for the server's shutdown. */
export async function endConversationNetworks(): Promise<void> {
  await Promise.all([...networks().keys()].map(endConversationNetwork));
}

/** Ends networks that were unused for `idle` milliseconds and have neither processes nor grants. */
export async function endIdleNetworks(idle: number): Promise<void> {
  for (const [conversationId, starting] of networks()) {
    const network = await starting.catch(() => null);
    if (!network || performance.now() - network.usedAt < idle || (await isBusy(network))) continue;
    // Another call may have used the network during the check of its processes.
    if (performance.now() - network.usedAt >= idle && networks().get(conversationId) === starting)
      await endConversationNetwork(conversationId);
  }
}

async function networkOf(conversationId: string): Promise<Network> {
  const network = await (networks().get(conversationId) ?? startNetwork(conversationId));
  network.usedAt = performance.now();
  return network;
}

function startNetwork(conversationId: string): Promise<Network> {
  const starting = startNetworkHolder().then((holder): Network => {
    const { enter } = holder;
    const ways = { connector: namespaceConnector(enter), forwards: portForwards(enter) };
    const network = { holder, proxy: null, proxyPort: null, ...ways, usedAt: performance.now() };
    if (networks().get(conversationId) === starting) readyNetworks().set(conversationId, network);
    return network;
  });
  networks().set(conversationId, starting);
  const forget = () => {
    if (networks().get(conversationId) !== starting) return;
    networks().delete(conversationId);
    readyNetworks().delete(conversationId);
  };
  // Nobody can enter the namespace of a killed holder: it is forgotten, so that the next call creates a new one.
  starting.then((network) => network.holder.ended.then(forget).then(() => end(network)), forget);
  return starting;
}

function proxyOf(network: Network): Promise<{ server: HostProxy; port: number }> {
  network.proxy ??= openProxy(network).catch((error) => {
    network.proxy = null;
    throw error;
  });
  return network.proxy;
}

async function openProxy(network: Network): Promise<{ server: HostProxy; port: number }> {
  const listening = await listenInNamespace(network.holder.enter);
  const address = listening.address();
  if (!address || typeof address === "string") throw new Error("The proxy listens on no port");
  network.proxyPort = address.port;
  return { server: hostProxy(listening), port: address.port };
}

async function isBusy({ holder, proxy }: Network): Promise<boolean> {
  const open = await proxy?.catch(() => null);
  return (open?.server.grants() ?? 0) > 0 || (await holder.isUsed());
}

async function end({ holder, proxy, connector, forwards }: Network): Promise<void> {
  connector.end();
  forwards.end();
  await holder.end();
  const open = await proxy?.catch(() => null);
  open?.server.close();
}
