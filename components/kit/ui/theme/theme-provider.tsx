"use client";

import { MantineProvider } from "@mantine/core";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { cssVariables, theme } from "./theme";

const Overlays = dynamic(() => import("../overlays/overlays").then((file) => file.Overlays), { ssr: false });

/** The theme, with confirmation dialogs and notifications, around the whole application. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
      <Overlays />
    </MantineProvider>
  );
}
