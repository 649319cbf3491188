"use client";

import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { tellOverlaysReady } from "./overlays-ready";

/** Confirmation dialogs and notifications, loaded after the page, because both respond to a click. */
export function Overlays() {
  useEffect(tellOverlaysReady, []);
  return (
    <>
      <ModalsProvider labels={{ confirm: "Confirm", cancel: "Cancel" }} />
      <Notifications position="bottom-right" limit={4} autoClose={6_000} />
    </>
  );
}
