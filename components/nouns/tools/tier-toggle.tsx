import { TierBadge } from "@/components/kit/ui/badges/tier-badge";
import { LockReason } from "@/components/kit/ui/forms/lock-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { type ToolTier, toolTiers } from "@/contracts/browser/tools/tools";
import { tierNames } from "./sum-tokens";
import classes from "./tier-toggle.module.css";

type TierToggleProps = {
  /** Owner of the tier, for screen readers. */
  of: string;
  tier: ToolTier;
  /** Why the tier cannot be changed here. */
  lockedReason: string | null;
  onChange: (tier: ToolTier) => void;
};

/** Switches between Core and Extension. */
export function TierToggle({ of, tier, lockedReason, onChange }: TierToggleProps) {
  if (lockedReason !== null) {
    return (
      <span className={shared.tight}>
        <TierBadge tier={tier} />
        <LockReason reason={lockedReason} />
      </span>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as an inline grid in every browser
    <span className={classes.toggle} role="group" aria-label={`Tier of ${of}`}>
      {toolTiers.map((choice) => (
        <button
          key={choice}
          type="button"
          className={classes.choice}
          data-tier={choice}
          aria-pressed={tier === choice}
          onClick={() => {
            if (tier !== choice) onChange(choice);
          }}
        >
          {tierNames[choice]}
        </button>
      ))}
    </span>
  );
}
