"use client";

import { useComputedColorScheme } from "@mantine/core";
import type { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import dynamic from "next/dynamic";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { orUnloaded } from "@/components/kit/ui/states/unloaded-part";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type McpApp, mcpAppEndpoints } from "@/contracts/browser/mcp/mcp-apps";
import classes from "./call-app.module.css";
import { connectApp } from "./connect-app";
import { hostContext, maxAppHeight } from "./host-context";
import type { CallPlace } from "./queries";
import { useAppCalls } from "./use-app-calls";

const InlineApproval = dynamic(
  () => import("@/components/nouns/approvals/detail/inline-approval").then((file) => file.InlineApproval).catch(orUnloaded),
  { ssr: false },
);

const firstHeight = 160;
const minHeight = 40;

type AppFrameProps = { place: CallPlace; app: McpApp; onClose: () => void };

/** The frame of an app, without access to the console, and below it those of its calls that need approval. */
export function AppFrame({ place, app, onClose }: AppFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const bridge = useRef<AppBridge | null>(null);
  const [height, setHeight] = useState(firstHeight);
  const [failure, setFailure] = useState(false);
  const { open, callTool } = useAppCalls(place);
  const theme = useComputedColorScheme("light");
  const address = endpointAddress(mcpAppEndpoints.document, { params: place });

  const context = useEffectEvent(() => hostContext(app, { theme, width: frame.current?.clientWidth ?? 0, callId: place.callId }));
  const handlers = useEffectEvent(() => ({
    callTool,
    openLink: (url: string) => askToOpen(app.server, url),
    resize: (wanted: number) => setHeight(Math.min(maxAppHeight, Math.max(minHeight, Math.ceil(wanted)))),
    close: onClose,
  }));
  useEffect(() => {
    const element = frame.current;
    const view = element?.contentWindow;
    if (!element || !view) return;
    let isGone = false;
    let connected: AppBridge | null = null;
    connectApp(view, { input: app.arguments, result: app.result, context: context(), handlers: handlers() }).then(
      (made) => {
        if (isGone) return void made.close();
        connected = made;
        bridge.current = made;
        element.src = address;
      },
      () => setFailure(true),
    );
    return () => {
      isGone = true;
      bridge.current = null;
      void connected?.close();
    };
  }, [app, address]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the context holds the colours of the theme
  useEffect(() => {
    bridge.current?.setHostContext(context());
  }, [theme]);

  return (
    <>
      {failure ? (
        <p className={shared.errorText} role="alert">
          The app could not be started. Check the connection and reload the page.
        </p>
      ) : null}
      <iframe
        ref={frame}
        className={classes.frame}
        title={spellHidden(`App of ${app.server}: ${app.tool.title}`)}
        sandbox="allow-scripts allow-forms"
        referrerPolicy="no-referrer"
        style={{ height }}
      />
      {open.map(({ callId, name, approvalId }) =>
        approvalId ? (
          <div key={callId} className={shared.stackClose}>
            <p className={shared.flush}>
              The app wants to call <RevealedText text={name} />.
            </p>
            <InlineApproval id={approvalId} />
          </div>
        ) : null,
      )}
    </>
  );
}

/** Asks the person before an app's link is opened; only web addresses are. */
function askToOpen(server: string, written: string): Promise<boolean> {
  const url = URL.parse(written);
  if (!url || !/^https?:$/.test(url.protocol)) return Promise.resolve(false);
  return new Promise((resolve) => {
    void confirmAction({
      title: "Open this address?",
      children: `The app of ${server} wants to open ${url.href} in a new tab.`,
      action: "Open address",
      isHarmless: true,
      onConfirm: async () => {
        window.open(url.href, "_blank", "noopener,noreferrer");
        resolve(true);
      },
      onClose: () => resolve(false),
    });
  });
}
