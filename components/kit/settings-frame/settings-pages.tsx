import { PageLinks } from "@/components/kit/ui/page/page-links";

const pages = [
  { id: "general", href: "/settings", label: "General" },
  { id: "models", href: "/settings/models", label: "Models" },
  { id: "media", href: "/settings/media", label: "Media" },
  { id: "notifications", href: "/settings/notifications", label: "Notifications" },
] as const;

/** Links between the pages of the settings. */
export function SettingsPages({ here }: { here: (typeof pages)[number]["id"] }) {
  return <PageLinks label="Pages of the settings" pages={pages} here={here} />;
}
