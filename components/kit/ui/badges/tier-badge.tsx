import type { ToolTier } from "@/contracts/tools/tools";
import { LockReason } from "../forms/lock-reason";
import shared from "../shared.module.css";
import classes from "./tier-badge.module.css";

/** Core is filled, Extension outlined; a locked tier says why beside it. */
export function TierBadge({ tier, lockedReason = null }: { tier: ToolTier; lockedReason?: string | null }) {
  return (
    <span className={shared.tight}>
      <span className={classes.badge} data-tier={tier}>
        {tier === "core" ? "Core" : "Extension"}
      </span>
      {lockedReason ? <LockReason reason={lockedReason} /> : null}
    </span>
  );
}
