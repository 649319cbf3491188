import { IconBoxOff, IconEraser, IconEye, IconPencil, type IconProps, IconTerminal2 } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Tone } from "@/components/kit/ui/tone";
import type { Effect } from "@/contracts/decisions/effects";
import { isReplaceable } from "./effect-tone";
import { sandboxExits } from "./sandbox-exits";

export type CallBadge = { word: string; tone: Tone; icon: ComponentType<IconProps> };

const changing = new Set<Effect["kind"]>(["write", "delete", "send", "signal", "schedule"]);

/** Returns the worst effect of a call in two words; null when the effects are unknown, because then the tool's effect counts. */
export function callBadge(effects: readonly Effect[] | undefined, sandboxed: boolean | undefined): CallBadge | null {
  if (effects === undefined || effects.length === 0) return null;
  if (effects.some((effect) => effect.irreversible || (effect.kind === "delete" && !isReplaceable(effect)))) {
    return { word: "Destructive", tone: "deny", icon: IconEraser };
  }
  if (sandboxExits(effects).length > 0) {
    return { word: sandboxed ? "Leaves the sandbox" : "Reaches outside", tone: "ask", icon: IconBoxOff };
  }
  if (effects.some(({ kind }) => kind === "execute")) {
    return { word: "Runs code", tone: sandboxed ? "unavailable" : "ask", icon: IconTerminal2 };
  }
  return effects.some(({ kind }) => changing.has(kind))
    ? { word: "Write", tone: "unavailable", icon: IconPencil }
    : { word: "Read-only", tone: "unavailable", icon: IconEye };
}
