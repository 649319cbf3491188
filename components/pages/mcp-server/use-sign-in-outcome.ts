"use client";

import { notifications } from "@mantine/notifications";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect } from "react";
import { overlaysReady } from "@/components/kit/ui/overlays/overlays-ready";
import { type McpSignInOutcome, mcpSignInOutcomes } from "@/contracts/browser/mcp/mcp-authorization";

const sentences: Record<McpSignInOutcome, { title: string; message: string }> = {
  connected: { title: "Signed in", message: "Handrail connects to the server now." },
  failed: { title: "The sign-in failed", message: "The server's details say why. Click Connect to try again." },
  expired: { title: "The sign-in is too old", message: "It was used before or took longer than ten minutes. Click Connect again." },
  not_yours: { title: "The sign-in belongs to another session", message: "Click Connect in this browser to begin your own." },
};

const inTheAddress = { server: parseAsString, signIn: parseAsStringLiteral(mcpSignInOutcomes) };

/** Shows how a sign-in ended after the browser came back, and removes the outcome from the address. */
export function useSignInOutcome(): void {
  const [{ signIn }, setAddress] = useQueryStates(inTheAddress, { history: "replace" });
  useEffect(() => {
    if (!signIn) return;
    const problem = signIn === "connected" ? {} : { color: "red", autoClose: 12_000 };
    void overlaysReady.then(() => notifications.show({ id: `sign-in-${signIn}`, ...sentences[signIn], ...problem }));
    void setAddress({ signIn: null });
  }, [signIn, setAddress]);
}
