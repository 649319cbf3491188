import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { GuardRuleDraft, guardEndpoints } from "../contracts/guard/guard";
import { type Caller, caller } from "../e2e/caller";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { startBenchProduct } from "./start-product";
import { median } from "./statistics";
import { withProduct } from "./with-product";

const limitMs = 100;
const changes = scaled(60, 6);
const command = "ls -la";

/**
 * How long a replica still decides by an old rule. Two replicas on one Postgres: a rule is saved on one, and the other is
 * asked about the same call over and over. Counted from the answer to the save, which is when an admin may rely on it, and
 * from its sending, which is the whole way.
 */
export const policyChange = (): Promise<Line[]> =>
  withProduct(async ({ admin, databaseUrl, folder }) => {
    const other = await startBenchProduct({ dataDir: path.join(folder, "data"), databaseUrl });
    try {
      const elsewhere = caller(other.url, admin.token);
      const draft = GuardRuleDraft.parse({ name: "Bench", tool: "shell_execute", pattern: "^ls\\b", verdict: "allow" });
      const { id } = await admin.call(guardEndpoints.createRule, { body: draft });
      await decidesAs(elsewhere, "allow");
      const sinceAnswer: number[] = [];
      const sinceSending: number[] = [];
      for (let change = 0; change < changes; change += 1) {
        const verdict = change % 2 === 0 ? "deny" : "allow";
        const sent = performance.now();
        // Asked from before the save on, so that the moment is not missed.
        const seen = decidesAs(elsewhere, verdict);
        await admin.call(guardEndpoints.updateRule, { params: { id }, body: { ...draft, verdict } });
        const answered = performance.now();
        const live = await seen;
        sinceSending.push(live - sent);
        sinceAnswer.push(Math.max(0, live - answered));
        // A person does not save twice in the same instant.
        await pause(50);
      }
      const worst = Math.max(...sinceAnswer);
      return [
        {
          measured: `a rule saved on one replica to live on another, slowest of ${changes}`,
          ours: milliseconds(worst),
          target: `<= ${limitMs} ms`,
          isMet: worst <= limitMs,
        },
        { measured: "the same with saving it, p50", ours: milliseconds(median(sinceSending)) },
      ];
    } finally {
      await other.stop();
    }
  });

/** Asks until the call is decided like this. @returns when that answer came, in milliseconds as `performance.now` counts */
async function decidesAs(replica: Caller, wanted: "allow" | "deny"): Promise<number> {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    const { verdict } = await replica.call(guardEndpoints.evaluate, { body: { tool: "shell_execute", arguments: { command } } });
    if (verdict === wanted) return performance.now();
  }
  throw new Error(`the other replica never decided to ${wanted}`);
}
