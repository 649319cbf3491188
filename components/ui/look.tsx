"use client";

import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { cssVariables, theme } from "./theme";

/** Theme, confirmation dialogs and notifications around everything. */
export function Look({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <ModalsProvider labels={{ confirm: "Confirm", cancel: "Cancel" }}>{children}</ModalsProvider>
      <Notifications position="bottom-right" limit={4} autoClose={6_000} />
    </MantineProvider>
  );
}
