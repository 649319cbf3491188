import { readFile } from "node:fs/promises";
import path from "node:path";
import postgres, { type Sql } from "postgres";

/** The database of a product with this data folder, for what no API is fast enough to make. */
export async function productDatabase(dataDir: string): Promise<Sql> {
  const password = (await readFile(path.join(dataDir, "postgres-password"), "utf8")).trim();
  const port = (await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[3];
  return postgres(`postgres://handrail:${password}@127.0.0.1:${port}/handrail`, { max: 1, onnotice: () => {} });
}
