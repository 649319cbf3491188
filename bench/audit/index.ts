import type { Line } from "../report";
import { scaled } from "../scale";
import { withProduct } from "../with-product";
import { fillAudit } from "./fill-audit";
import { pagesOfAudit } from "./pages-of-audit";
import { costOfSealing, lagAfterKill, lagAtLoad, withHeldSealer } from "./sealing";
import { exportRate, verifyRate } from "./streams-of-audit";

const allRows = scaled(10_000_000, 20_000);
const verifiedRows = scaled(1_000_000, 10_000);

/** The audit: what sealing costs a call, how far it is behind, and how fast a large audit is verified, searched and exported. */
export const audit = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const lines: Line[] = [];
    // A figure is told at once, because the whole takes a quarter of an hour.
    const add = (...found: Line[]) => {
      for (const { measured, ours, ratio } of found) console.error(`  ${measured}: ${ours}${ratio ? ` (${ratio.toFixed(3)})` : ""}`);
      lines.push(...found);
    };
    add(...(await costOfSealing(given)));
    add(await lagAtLoad(given));
    add(await lagAfterKill(given));
    await fillAudit(given, verifiedRows);
    add(await verifyRate(given));
    await withHeldSealer(given.databaseUrl, async () => {
      await fillAudit(given, allRows - verifiedRows);
      add(...(await pagesOfAudit(given, allRows)));
      add(await exportRate(given));
    });
    return lines;
  });
