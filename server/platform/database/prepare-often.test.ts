import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { workspaces } from "@/db/schema";
import { db, postgresPool } from "@/server/platform/database/database";
import { buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";

useTestDatabase();

const preparedTexts = async () => {
  const rows = await postgresPool().reserve();
  try {
    return await rows`select statement from pg_prepared_statements`;
  } finally {
    rows.release();
  }
};

test("a statement that comes again and again is prepared, in a transaction too, and answers the same", async () => {
  const { workspace } = await buildWorkspace();
  const read = (from: Pick<ReturnType<typeof db>, "select">) => from.select().from(workspaces).where(eq(workspaces.id, workspace.id));
  const [first] = await read(db());
  await db().transaction(async (tx) => {
    for (let time = 0; time < 6; time++) expect((await read(tx))[0]).toEqual(first);
    const [row] = await tx.execute<{ count: string }>(
      sql`select count(*) from pg_prepared_statements where statement like '%from "workspaces"%'`,
    );
    expect(Number(row?.count)).toBeGreaterThan(0);
  });
  expect((await read(db()))[0]).toEqual(first);
});

test("a text that comes once is not kept", async () => {
  await db().execute(sql`select ${"once"}::text as rarely`);
  const texts = await preparedTexts();
  expect(texts.some(({ statement }) => String(statement).includes("as rarely"))).toBe(false);
});

test("a transaction whose connection is lost while it does something else sends nothing more, and ends before it is tried again", async () => {
  await db().execute(sql`create table kept (word text)`);
  const { promise: begun, resolve: begin } = Promise.withResolvers<number>();
  const { promise: goneOn, resolve: goOn } = Promise.withResolvers<void>();
  const told: string[] = [];
  const whole = db()
    .transaction(async (tx) => {
      const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      begin(row?.pid ?? 0);
      await goneOn;
      await tx.execute(sql`insert into kept values ('outside')`).catch(() => told.push("refused"));
    })
    .then(
      () => told.push("committed"),
      () => told.push("lost"),
    );
  const pid = await begun;
  await db().execute(sql`select pg_terminate_backend(${pid})`);
  await vi.waitFor(async () => expect(await db().execute(sql`select 1 from pg_stat_activity where pid = ${pid}`)).toHaveLength(0));
  goOn();
  await whole;
  expect(told).toEqual(["refused", "lost"]);
  expect(await db().execute(sql`select word from kept`)).toHaveLength(0);
});
