"use client";

import { MantineProvider } from "@mantine/core";
import dynamic from "next/dynamic";
import type { ComponentType, ReactNode } from "react";
import { cssVariables, theme } from "./theme";

const retryMs = 5_000;

/** Tries again after a failure, because an error here would replace the whole console. */
const loadOverlays = (): Promise<ComponentType> =>
  import("../overlays/overlays")
    .then((file) => file.Overlays)
    .catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      return loadOverlays();
    });

const Overlays = dynamic(loadOverlays, { ssr: false });

/** The theme, with confirmation dialogs and notifications, around the whole application. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
      <Overlays />
    </MantineProvider>
  );
}
