import {
  IconActivity,
  IconGauge,
  IconGitBranch,
  IconHandStop,
  IconHistory,
  IconPlugConnected,
  type IconProps,
  IconSettings,
  IconShieldCheck,
  IconTool,
  IconWebhook,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

export type Destination = {
  href: string;
  label: string;
  icon: ComponentType<IconProps>;
  /** Pressed after `g`. */
  key: string;
};

/** The pages in the order of a day's work. */
export const destinations: readonly Destination[] = [
  { href: "/", label: "Overview", icon: IconGauge, key: "o" },
  { href: "/approvals", label: "Approvals", icon: IconHandStop, key: "a" },
  { href: "/turns", label: "Turns", icon: IconActivity, key: "r" },
  { href: "/tools", label: "Tools", icon: IconTool, key: "t" },
  { href: "/mcp-servers", label: "MCP servers", icon: IconPlugConnected, key: "m" },
  { href: "/guard", label: "Guard", icon: IconShieldCheck, key: "p" },
  { href: "/hooks", label: "Hooks", icon: IconGitBranch, key: "h" },
  { href: "/webhooks", label: "Webhooks", icon: IconWebhook, key: "w" },
  { href: "/audit", label: "Audit", icon: IconHistory, key: "l" },
  { href: "/settings", label: "Settings", icon: IconSettings, key: "s" },
];

/** Whether a destination holds the page that is open. */
export function isCurrent(destination: Destination, pathname: string): boolean {
  if (destination.href === "/") return pathname === "/";
  return pathname === destination.href || pathname.startsWith(`${destination.href}/`);
}
