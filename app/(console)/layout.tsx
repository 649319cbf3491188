import type { ReactNode } from "react";
import { Shell } from "@/components/shell/shell";
import { getMe } from "@/server/auth/get-me";
import { signedInActor } from "@/server/auth/page-actor";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const actor = await signedInActor();
  return <Shell me={await getMe(actor)}>{children}</Shell>;
}
