import type { OverviewRange } from "@/contracts/operations/overview";

export const rangeWords: Record<OverviewRange, { short: string; long: string }> = {
  "1h": { short: "1 h", long: "last hour" },
  "24h": { short: "24 h", long: "last 24 hours" },
  "7d": { short: "7 d", long: "last 7 days" },
  "30d": { short: "30 d", long: "last 30 days" },
};
