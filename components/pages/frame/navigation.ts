import type { IconProps } from "@tabler/icons-react";
import type { ComponentType } from "react";

export type Destination = {
  href: string;
  label: string;
  icon: ComponentType<IconProps>;
  /** Key pressed after `g`. */
  key: string;
};

export type DestinationGroup = { label: string; destinations: readonly Destination[] };

/** Returns whether the open page belongs to a destination. */
export function isCurrent(destination: Destination, pathname: string): boolean {
  if (destination.href === "/") return pathname === "/";
  return pathname === destination.href || pathname.startsWith(`${destination.href}/`);
}
