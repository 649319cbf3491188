import { PageLinks } from "@/components/kit/ui/page/page-links";

const pages = [
  { id: "turns", href: "/turns", label: "Turns" },
  { id: "jobs", href: "/turns/jobs", label: "Background jobs" },
  { id: "artifacts", href: "/turns/artifacts", label: "Artifacts" },
] as const;

/** Links between the lists of turns, of background jobs and of artifacts. */
export function TurnPages({ here }: { here: (typeof pages)[number]["id"] }) {
  return <PageLinks label="Turns, background jobs and artifacts" pages={pages} here={here} />;
}
