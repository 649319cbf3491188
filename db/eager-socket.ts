import { Socket } from "node:net";

type Place = { path?: string | false; host: string[]; port: number[] };

/**
 * Creates the driver's sockets without Nagle's algorithm, which holds the second of two small messages until the first
 * is acknowledged (up to 40 ms). Statements that are sent together are such messages. The driver does not connect a
 * socket from this option, so this function calls `connect`; the socket buffers writes until then.
 */
export function eagerSocket({ path, host: [host = "localhost"], port: [port = 5432] }: Place): Socket {
  const socket = new Socket();
  socket.setNoDelay(true);
  return path ? socket.connect(path) : socket.connect(port, host);
}
