import { Checkbox, type CheckboxGroupProps } from "@mantine/core";
import shared from "@/components/kit/ui/shared.module.css";
import { type ToolEffect, toolEffects } from "@/contracts/browser/tools/tools";
import classes from "./effect-boxes.module.css";
import { effectWords } from "./effect-words";

type EffectBoxesProps = Pick<CheckboxGroupProps, "label" | "description"> & {
  /** Null allows all effects. */
  allowed: readonly ToolEffect[] | null;
  /** Shows the label to screen readers only. */
  isLabelHidden?: boolean;
  /** Adds the meaning of each effect. */
  explained?: boolean;
  disabled?: boolean;
  onChange: (allowed: ToolEffect[] | null) => void;
};

/** Checkboxes for allowed effects. All ticked means no limit, also for effects of later versions. */
export function EffectBoxes({ allowed, isLabelHidden = false, explained = false, disabled = false, onChange, ...group }: EffectBoxesProps) {
  const choose = (values: string[]) => {
    const chosen = toolEffects.filter((effect) => values.includes(effect));
    onChange(chosen.length === toolEffects.length ? null : chosen);
  };
  return (
    <Checkbox.Group
      {...group}
      labelProps={isLabelHidden ? { className: shared.spoken } : {}}
      value={[...(allowed ?? toolEffects)]}
      onChange={choose}
    >
      <div className={classes.boxes} data-explained={explained || undefined}>
        {toolEffects.map((effect) => (
          <Checkbox
            key={effect}
            value={effect}
            label={effectWords[effect].may}
            description={explained ? effectWords[effect].meaning : null}
            disabled={disabled}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
