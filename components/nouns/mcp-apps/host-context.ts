import type { McpUiHostContext, McpUiStyles } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { McpApp } from "@/contracts/browser/mcp/mcp-apps";

/** Largest height of an app in pixels; it scrolls beyond. */
export const maxAppHeight = 800;

/** The console's colours and fonts by the names that MCP Apps give them. */
const styles: Partial<Record<keyof McpUiStyles, string>> = {
  "--color-background-primary": "--hr-page",
  "--color-background-secondary": "--hr-raised",
  "--color-background-tertiary": "--hr-sunken",
  "--color-background-info": "--hr-running-tint",
  "--color-background-danger": "--hr-deny-tint",
  "--color-background-success": "--hr-allow-tint",
  "--color-background-warning": "--hr-ask-tint",
  "--color-text-primary": "--mantine-color-text",
  "--color-text-secondary": "--hr-dim",
  "--color-text-info": "--hr-running",
  "--color-text-danger": "--hr-deny",
  "--color-text-success": "--hr-allow",
  "--color-text-warning": "--hr-ask",
  "--color-border-primary": "--hr-line-strong",
  "--color-border-secondary": "--hr-line",
  "--color-ring-primary": "--hr-focus",
  "--font-sans": "--mantine-font-family",
  "--font-mono": "--mantine-font-family-monospace",
  "--font-text-sm-size": "--mantine-font-size-sm",
  "--font-text-md-size": "--mantine-font-size-md",
  "--border-radius-sm": "--mantine-radius-sm",
  "--border-radius-md": "--mantine-radius-md",
};

/** Returns what an app is told about the console: theme with its colours, size, language and the tool that shows it. */
export function hostContext(app: McpApp, { theme, width, callId }: { theme: "light" | "dark"; width: number; callId: string }) {
  const computed = getComputedStyle(document.documentElement);
  const variables = Object.fromEntries(Object.entries(styles).map(([name, own]) => [name, computed.getPropertyValue(own).trim()]));
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  return {
    theme,
    styles: { variables: variables as McpUiStyles },
    displayMode: "inline",
    availableDisplayModes: ["inline"],
    containerDimensions: { width, maxHeight: maxAppHeight },
    locale,
    timeZone,
    userAgent: "handrail",
    platform: "web",
    toolInfo: { id: callId, tool: { ...app.tool, inputSchema: { ...app.tool.inputSchema, type: "object" } } },
  } satisfies McpUiHostContext;
}
