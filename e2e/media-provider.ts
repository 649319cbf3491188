import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A PNG of one pixel. */
const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A tenth of a second of silence, as WAV. */
function silence(): Buffer {
  const samples = Buffer.alloc(800);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples.fill(128)]);
}

/** A server that makes images as OpenAI does and music as MiniMax does, for one key. */
export async function startMediaProvider(key: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    asked.push(`${request.method} ${url}`);
    request.resume().on("end", () => {
      const send = (status: number, body: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (headers.authorization !== `Bearer ${key}`) return send(401, { error: { message: "Incorrect API key provided" } });
      if (url === "/models") return send(200, { data: [] });
      if (url === "/images/generations") return send(200, { created: 1, data: [{ b64_json: image }] });
      if (url === "/music_generation")
        return send(200, { data: { audio: silence().toString("hex"), status: 2 }, base_resp: { status_code: 0 } });
      return send(404, { error: { message: `No route for ${url}` } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
