import { IconEraser, IconEye, IconPencil, type IconProps } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { ToolEffect } from "@/contracts/tools";
import classes from "./tools.module.css";

const looks: Record<ToolEffect, { icon: ComponentType<IconProps>; word: string }> = {
  read: { icon: IconEye, word: "Reads" },
  write: { icon: IconPencil, word: "Writes" },
  destroy: { icon: IconEraser, word: "Destroys" },
};

/** What a tool does to the world. */
export function EffectLabel({ effect }: { effect: ToolEffect }) {
  const { icon: Icon, word } = looks[effect];
  return (
    <span className={classes.withIcon}>
      <Icon size={15} stroke={1.7} aria-hidden />
      {word}
    </span>
  );
}
