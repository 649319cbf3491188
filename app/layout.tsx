import "@mantine/core/styles.layer.css";
import "@mantine/dates/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "@fontsource-variable/inter/wght.css";
import "@fontsource/jetbrains-mono/400.css";
import "@fontsource/jetbrains-mono/600.css";
import "@/components/kit/ui/theme/base.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { ApiProvider } from "@/components/kit/api/provider";
import { ThemeProvider } from "@/components/kit/ui/theme/theme-provider";

export const metadata: Metadata = {
  title: { default: "Handrail", template: "%s · Handrail" },
  description: "The control plane between AI agents and the tools they use",
  appleWebApp: { capable: true, title: "Handrail" },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f7f7f8" },
    { media: "(prefers-color-scheme: dark)", color: "#121215" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      </head>
      <body>
        <NuqsAdapter>
          <ApiProvider>
            <ThemeProvider>{children}</ThemeProvider>
          </ApiProvider>
        </NuqsAdapter>
      </body>
    </html>
  );
}
