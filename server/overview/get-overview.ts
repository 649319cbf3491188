import "server-only";
import { LRUCache } from "lru-cache";
import type { Overview, OverviewRange } from "@/contracts/operations/overview";
import type { Authorized } from "@/server/auth/actor";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { processWide } from "@/server/platform/process-wide";
import { loadCatalog } from "@/server/tools/catalog";
import { disclose } from "@/server/tools/disclosure/disclosure";
import { presentListing } from "@/server/tools/disclosure/present-listing";
import { type CallCounts, countCalls } from "./count-calls";
import { readApprovals } from "./read-approvals";
import { readSetup } from "./read-setup";
import { type TimeRange, toTimeRange } from "./time-range";

/**
 * Ranges with fewer than `fewCalls` calls are not cached. The others are cached fifty times as long as their query
 * took, so that counting takes about 2 % of one connection.
 */
const fewCalls = 20_000;
const keptTimes = 50;
const keptAtMostMs = 10 * 60_000;

type Counted = CallCounts & Pick<Overview, "from" | "to" | "bucketSeconds" | "disclosure">;
type Remembered = { counted: Promise<Counted>; until: number };
const remembered = () => processWide("overviewCounts", () => new LRUCache<string, Remembered>({ max: 1_000 }));

/** Returns the overview of a workspace. Pending approvals are current; counts of calls may be minutes old when counting is slow. */
export async function getOverview(actor: Authorized<"audit:read">, range: OverviewRange): Promise<Overview> {
  const { workspaceId } = actor;
  const [counted, approvals, setup] = await Promise.all([
    countedOf(workspaceId, range),
    readApprovals(workspaceId, toTimeRange(range, sharedNowMs())),
    readSetup(workspaceId),
  ]);
  return { range, ...counted, approvals, setup };
}

/** Returns the counts of a range. Concurrent requests share one query. */
function countedOf(workspaceId: string, range: OverviewRange): Promise<Counted> {
  const key = `${workspaceId} ${range}`;
  const startedAt = Date.now();
  const known = remembered().get(key);
  if (known && startedAt < known.until) return known.counted;
  const counted = count(workspaceId, toTimeRange(range, sharedNowMs()));
  const entry: Remembered = { counted, until: Number.POSITIVE_INFINITY };
  remembered().set(key, entry);
  counted.then(
    ({ calls }) => {
      const now = Date.now();
      entry.until = calls.total < fewCalls ? now : now + Math.min(keptAtMostMs, (now - startedAt) * keptTimes);
    },
    () => remembered().delete(key),
  );
  return counted;
}

async function count(workspaceId: string, range: TimeRange): Promise<Counted> {
  const [counts, disclosure] = await Promise.all([countCalls(workspaceId, range), disclosureOf(workspaceId)]);
  const { from, to, bucketSeconds } = range;
  return { ...counts, disclosure, from: new Date(from).toISOString(), to: new Date(to).toISOString(), bucketSeconds };
}

/** Counts the tokens of the default agent's tools in one model request, in the shape that most providers take. */
async function disclosureOf(workspaceId: string): Promise<Overview["disclosure"]> {
  const catalog = await loadCatalog(workspaceId);
  const agent = [...catalog.agents.values()].find(({ isDefault }) => isDefault);
  if (!agent) return null;
  const { tokens } = presentListing(disclose([...agent.effective.values()], agent, new Set()), "openai");
  return { agent: agent.name, shown: tokens.tools + tokens.directory, saved: tokens.saved };
}
