import { Checkbox, type CheckboxGroupProps } from "@mantine/core";
import { type ToolEffect, toolEffects } from "@/contracts/tools";
import classes from "./effect-boxes.module.css";
import { effectWords } from "./effect-words";

type EffectBoxesProps = Pick<CheckboxGroupProps, "label" | "description"> & {
  /** null: all. */
  allowed: readonly ToolEffect[] | null;
  /** The label is only read out. */
  isLabelHidden?: boolean;
  /** Whether each says what it means. */
  explained?: boolean;
  disabled?: boolean;
  onChange: (allowed: ToolEffect[] | null) => void;
};

/** Effects that calls may have; with all of them ticked there is no limit, whatever effects come. */
export function EffectBoxes({ allowed, isLabelHidden = false, explained = false, disabled = false, onChange, ...group }: EffectBoxesProps) {
  const choose = (values: string[]) => {
    const chosen = toolEffects.filter((effect) => values.includes(effect));
    onChange(chosen.length === toolEffects.length ? null : chosen);
  };
  return (
    <Checkbox.Group
      {...group}
      labelProps={isLabelHidden ? { className: classes.hidden } : {}}
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
