import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { AnsweredEndpoint } from "@/server/endpoints/answer";
import { fastLane } from "@/server/http/fast-lane";
import { toRoutes } from "@/server/http/routes";

/**
 * Serves bound endpoints over real HTTP until the test ends.
 * @param at port; any free one when absent
 */
export async function serveAnswers(answers: readonly AnsweredEndpoint[], at = 0) {
  const isAnswered = fastLane(toRoutes(answers));
  const server = createServer((request, response) => {
    if (!isAnswered(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, stop };
}
