import "server-only";
import { readFileSync } from "node:fs";

/** Sockets that listen, in the kernel's table: state 0A, any address or loopback. */
const listening = /^\s*\d+: (\w+):(\w{4}) \w+:\w{4} 0A /gm;
const reachable = /^(?:0{8}|\w{6}7F|0{32}|0{24}0{7}1|0{24}01000000|0{16}F{4}0{4}\w{6}7F|0{16}0{4}F{4}\w{6}7F)$/;

/** Returns the ports on which programs in the network namespace of a process listen for connections to its loopback address. */
export function listeningPorts(pid: number): number[] {
  const ports = new Set<number>();
  for (const table of ["tcp", "tcp6"]) {
    for (const [, address = "", port = ""] of tableOf(pid, table).matchAll(listening)) {
      if (reachable.test(address)) ports.add(Number.parseInt(port, 16));
    }
  }
  return [...ports];
}

function tableOf(pid: number, table: string): string {
  try {
    return readFileSync(`/proc/${pid}/net/${table}`, "utf8");
  } catch {
    // The namespace ended, or the machine has no IPv6.
    return "";
  }
}
