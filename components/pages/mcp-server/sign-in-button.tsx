"use client";

import { IconLogin2 } from "@tabler/icons-react";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import { needsClientId, useSignIn } from "./use-sign-in";

type SignInButtonProps = {
  server: McpServer;
  refusal: string | null;
  size?: "xs" | "sm";
  /** Where each person signs in: the button signs in the workspace. */
  isForWorkspace?: boolean;
  /** Called when the authorization server needs a client ID, which the server's details ask for. */
  onClientNeeded: () => void;
};

/** Begins the sign-in to a server. */
export function SignInButton({ server, refusal, size = "sm", isForWorkspace, onClientNeeded }: SignInButtonProps) {
  const signIn = useSignIn();
  const isSecond = Boolean(isForWorkspace) && server.personalSignIn;
  return (
    <RefusableButton
      refusal={refusal}
      size={size}
      variant={size === "xs" || isSecond ? "default" : "filled"}
      leftSection={<IconLogin2 size={16} aria-hidden />}
      aria-label={size === "xs" ? `Connect ${server.alias}` : undefined}
      // The button waits until the browser has left the page.
      loading={signIn.isPending || signIn.isSuccess}
      onClick={() =>
        signIn.mutate(
          { server, ...(isForWorkspace ? { forWorkspace: true } : {}) },
          { onError: (error) => needsClientId(error) && onClientNeeded() },
        )
      }
    >
      {isSecond ? "Connect the workspace" : "Connect"}
    </RefusableButton>
  );
}
