import "server-only";
import { execFile } from "node:child_process";
import { connect, isIP, type Server, type Socket } from "node:net";
import { promisify } from "node:util";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { guardedLookup } from "../../guarded-lookup";
import { isLoopbackHost, isMetadataAddress } from "../../public-address";
import { systemProgram } from "../bubblewrap";
import { parseGrantedHost } from "./granted-hosts";
import { listenInNamespace } from "./namespace-listener";
import { pathOnly } from "./network-holder";

type Target = { host: string; port: number };
type Opened = { address: string; server: Server; sockets: Set<Socket> };
type Forward = { opening: Promise<Opened>; users: number };

/** Forwards that one program uses. */
export type UsedForwards = {
  /** Addresses of hosts inside the namespace, for /etc/hosts. */
  names: Readonly<Record<string, string>>;
  /** Sentences about the ports that could not be opened. */
  faults: readonly string[];
  close(): void;
};

/** Ports of one network namespace that lead to hosts outside, for protocols that know no proxy: databases, Redis, mail. */
export type PortForwards = {
  /**
   * Opens a port for each entry that names one host with its port. Programs that use the same entry share it.
   * @param entries as in the settings: others than `host:port` have no forward
   */
  use(entries: readonly string[]): Promise<UsedForwards>;
  end(): void;
};

/** Hosts have addresses of their own, because two of them may have the same port. */
const addressAt = (place: number): string => `127.77.${place >> 8}.${place & 255}`;
const connectMs = 10_000;

export function portForwards(entrance: readonly string[]): PortForwards {
  const forwards = new Map<string, Forward>();
  const addresses = new Map<string, string>();

  const addressOf = (host: string): string => {
    if (isLoopbackHost(host)) return isIP(host) === 4 ? host : "127.0.0.1";
    if (isIP(host)) return host;
    const known = addresses.get(host) ?? addressAt(addresses.size + 1);
    addresses.set(host, known);
    return known;
  };

  const open = async (target: Target): Promise<Opened> => {
    const address = addressOf(target.host);
    if (isIP(target.host) && !isLoopbackHost(target.host)) await addAddress(entrance, address);
    const server = await listenInNamespace(entrance, { host: address, port: target.port });
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => forward(socket, target, sockets));
    server.unref();
    return { address, server, sockets };
  };

  const enter = (key: string, target: Target): Forward => {
    const one = forwards.get(key) ?? { opening: open(target), users: 0 };
    one.users += 1;
    forwards.set(key, one);
    return one;
  };

  const leave = (key: string, one: Forward): void => {
    one.users -= 1;
    if (one.users > 0) return;
    if (forwards.get(key) === one) forwards.delete(key);
    one.opening.then(close, () => {});
  };

  return {
    use: async (entries) => {
      const names: Record<string, string> = {};
      const faults: string[] = [];
      const used: (() => void)[] = [];
      for (const target of targetsIn(entries)) {
        const { host, port } = target;
        const key = `${host} ${port}`;
        const one = enter(key, target);
        try {
          const { address } = await one.opening;
          used.push(() => leave(key, one));
          if (!isIP(host) && !isLoopbackHost(host)) names[host] = address;
        } catch (error) {
          leave(key, one);
          log().warn({ host, port, reason: toErrorMessage(error) }, "a port could not be forwarded into a sandbox");
          faults.push(`${host}:${port} is reached through the proxy only: ${toErrorMessage(error)}.`);
        }
      }
      const leaveAll = () => {
        for (const end of used.splice(0)) end();
      };
      return { names, faults, close: leaveAll };
    },
    end: () => {
      for (const { opening } of forwards.values()) opening.then(close, () => {});
      forwards.clear();
    },
  };
}

/** A name is checked when its addresses are known, at each connection. */
const isMetadata = (host: string): boolean => isIP(host) !== 0 && isMetadataAddress(host);

function targetsIn(entries: readonly string[]): Target[] {
  const parsed = entries.flatMap((entry) => parseGrantedHost(entry) ?? []);
  return parsed.flatMap(({ host, port, isWildcard }) => (port === null || isWildcard || isMetadata(host) ? [] : [{ host, port }]));
}

function forward(inside: Socket, { host, port }: Target, sockets: Set<Socket>): void {
  const lookup = guardedLookup({
    mayConnect: (address) => !isMetadataAddress(address),
    refuse: () => new Error(`${host} is the metadata service of a cloud`),
  });
  const outside = connect({ host, port, lookup, allowHalfOpen: true });
  const timer = setTimeout(() => outside.destroy(), connectMs);
  for (const [socket, other] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    sockets.add(socket);
    socket.on("error", () => other.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
  outside.once("connect", () => {
    clearTimeout(timer);
    inside.pipe(outside);
    outside.pipe(inside);
  });
  outside.once("close", () => clearTimeout(timer));
}

function close({ server, sockets }: Opened): void {
  server.close();
  for (const socket of sockets) socket.destroy();
}

/** Gives the namespace an address of another machine, so that a program can connect to it by its number. */
async function addAddress(enter: readonly string[], address: string): Promise<void> {
  const ip = systemProgram("ip");
  if (!ip) throw new Error(`an address by number needs the program ip (Debian: iproute2); name the host instead`);
  const [command = "", ...words] = enter;
  const length = isIP(address) === 6 ? 128 : 32;
  await promisify(execFile)(command, [...words, ip, "address", "replace", `${address}/${length}`, "dev", "lo"], { env: pathOnly() });
}
