import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** Names of fixture tools in a request: Handrail calls them by the alias of their server. */
const fixtureName = /^(?:test_\w+|json_schema_2020_12_tool|greet|slow_compute|failing_job)$/;

const renamedMethods = new Set(["tools/call", "prompts/get", "completion/complete"]);

/**
 * Starts a proxy that gives requests the API key, because the suite sends none, and fixture tools the alias of their server.
 * Host, origin and everything else stay as the suite sends them.
 */
export async function startKeyProxy({ target, key, alias }: { target: string; key: string; alias: string }) {
  const { hostname, port: targetPort } = new URL(target);
  const http = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = renamed(Buffer.concat(chunks).toString("utf8"), alias);
    const name = incoming.headers["mcp-name"];
    const { "transfer-encoding": _chunked, ...given } = incoming.headers;
    const headers = {
      ...given,
      ...(typeof name === "string" && fixtureName.test(name) ? { "mcp-name": `${alias}__${name}` } : {}),
      authorization: `Bearer ${key}`,
      // Names are changed in the answers, so those come as they are.
      "accept-encoding": "identity",
      "content-length": String(Buffer.byteLength(body)),
    };
    const onward = send({ hostname, port: targetPort, path: incoming.url, method: incoming.method, headers }, (answer) => {
      if (!answer.headers["content-type"]?.startsWith("application/json")) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => {
        const text = Buffer.concat(pieces).toString("utf8").replaceAll(`"name":"${alias}__`, '"name":"');
        const { "content-length": _length, "transfer-encoding": _encoding, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, rest);
        outgoing.end(text);
      });
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/mcp`,
    stop() {
      http.closeAllConnections();
      http.close();
    },
  };
}

function renamed(body: string, alias: string): string {
  try {
    const message = JSON.parse(body);
    const named = message.method === "completion/complete" ? message.params?.ref : message.params;
    if (!renamedMethods.has(message.method) || !fixtureName.test(named?.name)) return body;
    named.name = `${alias}__${named.name}`;
    return JSON.stringify(message);
  } catch {
    return body;
  }
}
