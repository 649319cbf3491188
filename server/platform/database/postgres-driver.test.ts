import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/server/testing/test-database";
import { databaseUrl } from "./database";

useTestDatabase();

/** Runs a program in its own process, because a fault of the driver ends the process. */
function run(program: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program], {
    cwd: path.resolve(import.meta.dirname, "../../.."),
    env: { ...process.env, URL: databaseUrl(), NODE_OPTIONS: "" },
    encoding: "utf8",
    timeout: 10_000,
  });
  return { status, stderr, answer: stdout && JSON.parse(stdout) };
}

test("a transaction whose connection breaks between two statements is rejected, and the pool works on", () => {
  const program = `
    import { setTimeout as pause } from "node:timers/promises";
    import postgres from "postgres";
    const pool = postgres(process.env.URL, { max: 1, backoff: () => 0.05 });
    const other = postgres(process.env.URL, { max: 1 });
    const failed = await pool.begin(async (tx) => {
      const [{ pid }] = await tx\`select pg_backend_pid() as pid\`;
      await other\`select pg_terminate_backend(\${pid})\`;
      await pause(20);
      await tx\`select 1\`;
    }).catch((error) => error.code);
    await pause(100);
    const [{ one }] = await pool\`select 1 as one\`;
    console.log(JSON.stringify({ failed, one }));
    process.exit(0);
  `;
  const answer = { failed: expect.stringMatching(/CONNECTION_CLOSED|57P01/), one: 1 };
  expect(run(program)).toEqual({ status: 0, stderr: "", answer });
});

test("a connection that breaks before a statement is sent is rejected, and connects again", () => {
  const program = `
    import { Socket } from "node:net";
    import postgres from "postgres";
    let last;
    const socket = ({ host: [host], port: [port] }) => (last = new Socket().connect(port, host));
    const pool = postgres(process.env.URL, { max: 1, backoff: () => 0.05, socket });
    await pool\`select 1\`;
    const failed = await new Promise((resolve) => setImmediate(() => {
      last.destroy();
      pool\`select 2\`.catch((error) => resolve(error.code));
    }));
    const [{ one }] = await pool\`select 1 as one\`;
    console.log(JSON.stringify({ failed, one }));
    process.exit(0);
  `;
  expect(run(program)).toEqual({ status: 0, stderr: "", answer: { failed: "CONNECTION_CLOSED", one: 1 } });
});

test("a server that ends a connection in the middle of a statement fails that statement, and not the next one", () => {
  const program = `
    import { connect, createServer } from "node:net";
    import postgres from "postgres";
    const { hostname, port } = new URL(process.env.URL);
    const words = ["SFATAL", "VFATAL", "C57P01", "Mterminating connection due to administrator command", ""];
    const told = Buffer.from(words.join("\\0") + "\\0");
    const length = Buffer.alloc(4);
    length.writeInt32BE(told.length + 4);
    let ended = false;
    const between = createServer((client) => {
      const database = connect(Number(port), hostname);
      database.pipe(client);
      client.on("error", () => {});
      client.on("data", (sent) => {
        if (ended || !sent.includes("select 'interrupted'")) return database.write(sent);
        ended = true;
        database.unpipe(client).destroy();
        client.end(Buffer.concat([Buffer.from("E"), length, told]));
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => between.once("listening", resolve));
    const pool = postgres(process.env.URL, { max: 1, backoff: () => 0.05, host: "127.0.0.1", port: between.address().port });
    await pool\`select 1\`;
    const failed = await pool\`select 'interrupted'\`.catch((error) => error.code);
    const [{ one }] = await pool\`select 1 as one\`;
    console.log(JSON.stringify({ failed, one }));
    process.exit(0);
  `;
  expect(run(program)).toEqual({ status: 0, stderr: "", answer: { failed: "CONNECTION_CLOSED", one: 1 } });
});

test("a connection that breaks while it reads the database's types fails its first statement and not the process", () => {
  const program = `
    import { connect, createServer } from "node:net";
    import postgres from "postgres";
    const { hostname, port } = new URL(process.env.URL);
    let broken = false;
    const between = createServer((client) => {
      const database = connect(Number(port), hostname);
      database.pipe(client);
      client.on("error", () => {});
      client.on("data", (sent) => {
        if (broken || !sent.includes("typcategory")) return database.write(sent);
        broken = true;
        database.destroy();
        client.resetAndDestroy();
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => between.once("listening", resolve));
    const pool = postgres(process.env.URL, { max: 1, backoff: () => 0.05, host: "127.0.0.1", port: between.address().port });
    const failed = await pool\`select 1\`.catch((error) => error.code);
    const [{ one }] = await pool\`select 1 as one\`;
    console.log(JSON.stringify({ failed, one, broken }));
    process.exit(0);
  `;
  expect(run(program)).toMatchObject({ status: 0, stderr: "", answer: { one: 1, broken: true } });
});

test("a connection works on after a copy whose last row is larger than the reader's buffer", () => {
  const program = `
    import postgres from "postgres";
    const pool = postgres(process.env.URL, { max: 1 });
    let bytes = 0;
    for await (const row of await pool\`copy (select repeat('x', 1000000)) to stdout\`.readable()) bytes += row.length;
    const [{ one }] = await pool\`select 1 as one\`;
    console.log(JSON.stringify({ bytes, one }));
    process.exit(0);
  `;
  expect(run(program)).toEqual({ status: 0, stderr: "", answer: { bytes: 1_000_001, one: 1 } });
});

test("every connection of a pool reads arrays, and only the first asks for their types", () => {
  const program = `
    import postgres from "postgres";
    const asked = [];
    const pool = postgres(process.env.URL, { max: 3, debug: (connection, query) => query.includes("typcategory") && asked.push(connection) });
    const read = () => pool\`select array[1, 2] as numbers, pg_sleep(0.05)\`.then(([{ numbers }]) => numbers);
    await read();
    const read3 = await Promise.all([read(), read(), read()]);
    console.log(JSON.stringify({ asked: asked.length, read3 }));
    process.exit(0);
  `;
  const numbers = [1, 2];
  expect(run(program)).toEqual({ status: 0, stderr: "", answer: { asked: 1, read3: [numbers, numbers, numbers] } });
});
