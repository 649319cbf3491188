import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import postgres from "postgres";

/** The floor of an audited call: HTTP, JSON, one durable insert of an audit-shaped row, reply. No guard, no turn. */
export async function startBareInsertServer(databaseUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const sql = postgres(databaseUrl, { max: 10, onnotice: () => {} });
  await sql`create table if not exists bench_audit (id uuid primary key, at timestamptz not null default now(), event text not null, actor text not null, tool text not null, data jsonb not null)`;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    await sql`insert into bench_audit ${sql({ id: crypto.randomUUID(), event: "call.succeeded", actor: "bench", tool: "date_time", data: sql.json(body) })}`;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ok: true, now: new Date().toISOString() }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await sql`drop table bench_audit`;
      await sql.end();
    },
  };
}
