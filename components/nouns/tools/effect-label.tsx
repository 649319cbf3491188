import { IconEraser, IconEye, IconPencil, type IconProps } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { ToolEffect } from "@/contracts/tools/tools";
import classes from "./effect-label.module.css";
import { effectWords } from "./effect-words";

const icons: Record<ToolEffect, ComponentType<IconProps>> = { read: IconEye, write: IconPencil, destroy: IconEraser };

/** Effect of a tool. */
export function EffectLabel({ effect }: { effect: ToolEffect }) {
  const Icon = icons[effect];
  return (
    <span className={classes.withIcon}>
      <Icon size={15} stroke={1.7} aria-hidden />
      {effectWords[effect].does}
    </span>
  );
}
