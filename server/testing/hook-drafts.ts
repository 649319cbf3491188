import type { z } from "zod";
import { HookDraft } from "@/contracts/hooks/hooks";

/** Builds a hook with these settings and the API's defaults. */
export function hookDraft(settings: Partial<z.input<typeof HookDraft>> & Pick<z.input<typeof HookDraft>, "event" | "action">): HookDraft {
  return HookDraft.parse({ name: `${settings.event} ${settings.action.type}`, ...settings });
}
