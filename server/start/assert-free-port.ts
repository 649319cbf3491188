import "server-only";
import { once } from "node:events";
import { createServer } from "node:net";
import { StartError } from "@/db/start-error";

/**
 * Tries the port before the slow steps of the start. Both addresses are tried, because a program that listens on
 * 127.0.0.1 only would otherwise answer Handrail's requests.
 * @throws StartError when the port is not available
 */
export async function assertFreePort(port: number): Promise<void> {
  for (const host of ["127.0.0.1", undefined]) {
    const server = createServer();
    try {
      server.listen({ port, host, exclusive: true });
      await once(server, "listening");
      server.close();
      await once(server, "close");
    } catch (error) {
      throw portError(port, error);
    }
  }
}

/** Returns the error for a port on which the process cannot listen. */
export function portError(port: number, error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE") {
    return new StartError(
      `Port ${port} is taken by another program: stop that one, or choose another port with PORT=${port === 3_000 ? 3_001 : 3_000}.`,
    );
  }
  if (code === "EACCES") return new StartError(`Port ${port} is not for everybody to listen on: choose one above 1023 with PORT.`);
  return error instanceof Error ? error : new Error(String(error));
}
