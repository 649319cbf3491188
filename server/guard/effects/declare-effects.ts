import type { Effect } from "@/contracts/decisions/effects";

/** An effect of a call as its tool declares it, before the guard locates the target. */
export type DeclaredEffect = Pick<Effect, "kind" | "recursive" | "namesOnly" | "irreversible"> & {
  /** JSON pointer of the argument that names the target; empty when the tool itself names it. */
  argument: string;
  path?: string;
  url?: string;
  host?: string;
  /** On a loopback address, the request goes to the server in the conversation's sandbox that listens on the port. */
  reachesOwnServers?: boolean;
  /** The change inside Handrail, as the end of a sentence that begins with "This call". */
  inside?: string;
};

type Request = Pick<DeclaredEffect, "reachesOwnServers">;
type More = Pick<Effect, "recursive" | "namesOnly" | "irreversible">;

/** Declares that the call reads the file or folder that the argument names: `reads("/path", args.path)`. */
export const reads = (argument: string, path: string, more: More = {}): DeclaredEffect => ({ kind: "read", argument, path, ...more });
export const lists = (argument: string, path: string): DeclaredEffect => ({ kind: "read", argument, path, namesOnly: true });
export const writes = (argument: string, path: string): DeclaredEffect => ({ kind: "write", argument, path });
export const deletes = (argument: string, path: string, more: More = {}): DeclaredEffect => ({ kind: "delete", argument, path, ...more });
/** Declares a request that changes nothing at the host, such as a GET by a tool whose answers are bounded. */
export const fetches = (argument: string, url: string, more: Request = {}): DeclaredEffect => ({ kind: "read", argument, url, ...more });
/** Declares a request that may change something at the host. */
export const sends = (argument: string, url: string, more: Request = {}): DeclaredEffect => ({ kind: "send", argument, url, ...more });
export const connects = (argument: string, host: string): DeclaredEffect => ({ kind: "connect", argument, host });
/** Declares what the call changes inside Handrail and nowhere else: `actsInside("sends a message to a channel")`. */
export const actsInside = (inside: string): DeclaredEffect => ({ kind: "write", argument: "", inside });
/** Declares that the call does nothing to files or hosts: without it, the guard takes arguments for paths and addresses. */
export const noEffects = { effects: () => [] };
/** Declares that the call runs code in a folder; the guard knows nothing else about the code. */
export const executes = (argument: string, path: string): DeclaredEffect => ({ kind: "execute", argument, path });
