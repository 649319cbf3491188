import { Socket } from "node:net";

type Place = { path?: string | false; host: string[]; port: number[] };

/**
 * Makes the driver's sockets, with Nagle's algorithm off: it makes the second of two small messages wait until the
 * first one is acknowledged, which can take 40 ms, and statements that are sent together are exactly that. The driver
 * does not connect a socket that it was given, so this begins to; what is written meanwhile waits.
 */
export function eagerSocket({ path, host: [host = "localhost"], port: [port = 5432] }: Place): Socket {
  const socket = new Socket();
  socket.setNoDelay(true);
  return path ? socket.connect(path) : socket.connect(port, host);
}
