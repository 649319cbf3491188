/**
 * The floor of an audited call: HTTP, JSON, one durable insert of an audit row, reply. No guard, no turn, no person. It
 * is a program of its own; its argument is a database in which the product has recorded at least one finished call.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import postgres from "postgres";

const sql = postgres(process.argv[2] ?? "", { max: 10, onnotice: () => {} });
// The columns, defaults and indexes of the real table, and a row that the product has written for such a call.
await sql`create table if not exists bench_audit (like audit_events including all)`;
const [sample] = await sql`select * from audit_events where tool = 'date_time' order by at desc, id desc limit 1`;
if (!sample) throw new Error("there is no audited date_time call to copy");
const { id: _id, at: _at, ...row } = sample;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { calls } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  await sql`insert into bench_audit ${sql({ ...row, id: randomUUID(), data: sql.json(row.data) })}`;
  const content = JSON.stringify({ calls, status: "succeeded", now: new Date().toISOString() });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(content) }).end(content);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on ${typeof address === "object" ? address?.port : address}`);
});
process.once("SIGTERM", () => process.exit(0));
