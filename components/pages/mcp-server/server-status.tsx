import { IconLogin2, IconPlayerPause, IconPlugConnected, IconPlugConnectedX, type IconProps } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { Tone } from "@/components/kit/ui/tone";
import type { McpServer } from "@/contracts/mcp/mcp-servers";

const looks: Record<McpServer["status"], { tone: Tone; word: string; icon?: ComponentType<IconProps> }> = {
  connected: { tone: "allow", word: "Connected", icon: IconPlugConnected },
  connecting: { tone: "running", word: "Connecting" },
  needs_sign_in: { tone: "ask", word: "Needs sign-in", icon: IconLogin2 },
  error: { tone: "deny", word: "Error", icon: IconPlugConnectedX },
  disabled: { tone: "unavailable", word: "Off", icon: IconPlayerPause },
};

/** Status of a server's connection. */
export function ServerStatus({ status }: { status: McpServer["status"] }) {
  const { tone, word, icon } = looks[status];
  return (
    <StatusBadge tone={tone} {...(icon ? { icon } : {})}>
      {word}
    </StatusBadge>
  );
}
