import type { MetadataRoute } from "next";

/** Makes the console a page that can be installed, so that phones push approvals to it. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: "Handrail",
    short_name: "Handrail",
    description: "The control plane between AI agents and the tools they use",
    id: "/",
    start_url: "/approvals",
    display: "standalone",
    background_color: "#f7f7f8",
    theme_color: "#121215",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    ],
  };
}
