import type { z } from "zod";
import { HookDraft } from "@/contracts/hooks";

/** A hook with these settings, the rest as the API fills it in. */
export function hookDraft(settings: Partial<z.input<typeof HookDraft>> & Pick<z.input<typeof HookDraft>, "event" | "action">): HookDraft {
  return HookDraft.parse({ name: `${settings.event} ${settings.action.type}`, ...settings });
}
