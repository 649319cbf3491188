import type { SegmentedControlProps } from "@mantine/core";
import { ChoiceField } from "@/components/kit/ui/forms/choice-field";
import { type ToolTier, toolTiers } from "@/contracts/browser/tools/tools";
import { tierNames } from "./sum-tokens";

const tiers = toolTiers.toReversed().map((tier) => ({ value: tier, label: tierNames[tier] }));

/** Choice of the tier of tools. */
export function TierField(props: Omit<SegmentedControlProps<ToolTier>, "children" | "data"> & { hint?: string }) {
  return <ChoiceField label="Tier" data={tiers} {...props} />;
}
