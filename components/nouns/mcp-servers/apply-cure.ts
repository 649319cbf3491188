import type { McpCure, McpServer } from "@/contracts/mcp/mcp-servers";

type Openings = Pick<McpServer, "network" | "allowedHosts" | "readablePaths" | "outsideSandbox">;

/** The words of the button that allows it. */
export function cureLabel(cure: McpCure): string {
  if (cure.kind === "read") return `Let it read ${cure.path}`;
  return cure.kind === "reach" ? `Let it reach ${cure.host}` : "Run it outside the sandbox";
}

/** Returns the settings that change when a cure is allowed. */
export function applyCure({ network, allowedHosts, readablePaths }: Openings, cure: McpCure): Partial<Openings> {
  if (cure.kind === "read") return { readablePaths: [...readablePaths, cure.path] };
  if (cure.kind === "outside") return { outsideSandbox: true };
  return { allowedHosts: [...allowedHosts, cure.host], ...(network === "none" ? { network: "hosts" as const } : {}) };
}
