import type { IncomingMessage, ServerResponse } from "node:http";

type Rpc = { id?: number; method: string; params?: { name?: string; protocolVersion?: string } };

const inputSchema = { type: "object", properties: {} };
const tools = [
  { name: "read_notes", description: "Reads the notes.", inputSchema, annotations: { readOnlyHint: true } },
  { name: "write_note", description: "Writes a note.", inputSchema, annotations: { readOnlyHint: true } },
];

/** Answers one request of an MCP client as a small server with two tools: the older protocol over HTTP, without sessions. */
export function answerMcp(request: IncomingMessage, response: ServerResponse, body: string) {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const rpc = JSON.parse(body) as Rpc;
  if (rpc.id === undefined) return void response.writeHead(202).end();
  const send = (answer: object) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, ...answer }));
  switch (rpc.method) {
    case "initialize": {
      const serverInfo = { name: "notes", version: "1.0.0" };
      return send({ result: { protocolVersion: rpc.params?.protocolVersion, capabilities: { tools: {} }, serverInfo } });
    }
    case "tools/list":
      return send({ result: { tools } });
    case "tools/call":
      return send({ result: { content: [{ type: "text", text: `${rpc.params?.name} done` }] } });
    case "ping":
      return send({ result: {} });
    default:
      return send({ error: { code: -32_601, message: "Method not found" } });
  }
}
