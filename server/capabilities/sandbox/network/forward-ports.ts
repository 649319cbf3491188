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
type Forward = { address: string; server: Server; sockets: Set<Socket>; users: number };

/** Forwards that one program uses: the addresses of its hosts inside the namespace, for /etc/hosts. */
export type UsedForwards = { names: Readonly<Record<string, string>>; close(): void };

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
const firstAddress = "127.77.0.";
const maxForwards = 50;
const connectMs = 10_000;

export function portForwards(enter: readonly string[]): PortForwards {
  const forwards = new Map<string, Promise<Forward>>();
  const addresses = new Map<string, string>();

  const addressOf = (host: string): string => {
    if (isLoopbackHost(host)) return isIP(host) === 4 ? host : "127.0.0.1";
    if (isIP(host)) return host;
    const known = addresses.get(host) ?? `${firstAddress}${addresses.size + 1}`;
    addresses.set(host, known);
    return known;
  };

  const open = async (target: Target): Promise<Forward> => {
    const address = addressOf(target.host);
    if (isIP(target.host) && !isLoopbackHost(target.host)) await addAddress(enter, address);
    const server = await listenInNamespace(enter, { host: address, port: target.port });
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => forward(socket, target, sockets));
    server.unref();
    return { address, server, sockets, users: 0 };
  };

  const leave = (key: string, one: Forward): void => {
    one.users -= 1;
    if (one.users > 0) return;
    forwards.delete(key);
    close(one);
  };

  return {
    use: async (entries) => {
      const names: Record<string, string> = {};
      const used: (() => void)[] = [];
      for (const target of targetsIn(entries)) {
        const key = `${target.host} ${target.port}`;
        const opening = forwards.get(key) ?? open(target);
        forwards.set(key, opening);
        try {
          const one = await opening;
          one.users += 1;
          used.push(() => leave(key, one));
          if (!isIP(target.host) && !isLoopbackHost(target.host)) names[target.host] = one.address;
        } catch (error) {
          forwards.delete(key);
          log().warn(
            { host: target.host, port: target.port, reason: toErrorMessage(error) },
            "a port could not be forwarded into a sandbox",
          );
        }
      }
      return { names, close: () => used.splice(0).forEach((end) => void end()) };
    },
    end: () => {
      for (const opening of forwards.values()) opening.then(close, () => {});
      forwards.clear();
    },
  };
}

/** A name is checked when its addresses are known, at each connection. */
const isMetadata = (host: string): boolean => isIP(host) !== 0 && isMetadataAddress(host);

function targetsIn(entries: readonly string[]): Target[] {
  const parsed = entries.flatMap((entry) => parseGrantedHost(entry) ?? []);
  return parsed
    .flatMap(({ host, port, isWildcard }) => (port === null || isWildcard || isMetadata(host) ? [] : [{ host, port }]))
    .slice(0, maxForwards);
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

function close({ server, sockets }: Forward): void {
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
