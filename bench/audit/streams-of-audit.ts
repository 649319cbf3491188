import { type Line, rate } from "../report";
import { scaled } from "../scale";
import type { Given } from "../with-product";
import { untilSealed } from "./sealing";

/** Rows of an export that are read before it is broken off. */
const exportedRows = scaled(400_000, 2_000);

/** A verification of everything that is sealed, over HTTP. */
export async function verifyRate({ product, asAdmin, databaseUrl }: Given): Promise<Line> {
  await untilSealed(databaseUrl);
  const began = performance.now();
  const response = await fetch(`${product.url}/api/v1/audit/verify`, { headers: asAdmin });
  const lines = (await response.text()).trim().split("\n");
  const last = JSON.parse(lines.at(-1) ?? "{}") as { ok?: boolean; rows?: number; brokenAt?: { sentence: string } | null };
  if (!last.ok) throw new Error(`the verification failed: ${last.brokenAt?.sentence}`);
  const perSecond = ((last.rows ?? 0) / (performance.now() - began)) * 1_000;
  return {
    measured: `verify, ${(last.rows ?? 0).toLocaleString("en")} sealed rows`,
    ours: rate(perSecond),
    target: ">= 50,000 /s",
    isMet: perSecond >= 50_000,
  };
}

/** The first rows of an export as NDJSON, over HTTP. */
export async function exportRate({ product, asAdmin }: Given): Promise<Line> {
  const began = performance.now();
  const response = await fetch(`${product.url}/api/v1/audit/export?format=ndjson`, { headers: asAdmin });
  if (!response.body) throw new Error("the export has no body");
  let rows = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++;
    if (rows >= exportedRows) break;
  }
  const perSecond = (rows / (performance.now() - began)) * 1_000;
  return {
    measured: `export of the audit as NDJSON, ${rows.toLocaleString("en")} rows`,
    ours: rate(perSecond),
    target: ">= 20,000 /s",
    isMet: perSecond >= 20_000,
  };
}
