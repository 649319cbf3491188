import type { ActorRef, JsonObject } from "@/contracts/common";
import type { CallEdit } from "@/db/schema";
import { maskSecrets } from "@/server/secrets/mask-secrets";

/** An edit as answers, events and exports tell it: `arguments` runs, and these two name what was asked and who changed it. */
export type ToldEdit = { askedArguments?: JsonObject; editedBy?: ActorRef };

/** Tells an approver's edit in answers, events, exports and deliveries. */
export function tellEdit(edit: CallEdit | null): ToldEdit {
  return edit ? { askedArguments: maskSecrets(edit.asked) as JsonObject, editedBy: edit.by } : {};
}

type Editable = { arguments: JsonObject; editedArguments: JsonObject | null; decidedBy: ActorRef | null };

/** Returns the arguments that an approved call runs with, and the edit that made them. */
export function toldArguments({
  arguments: asked,
  editedArguments: edited,
  decidedBy: by,
}: Editable): ToldEdit & { arguments: JsonObject } {
  return edited && by ? { arguments: edited, ...tellEdit({ asked, by }) } : { arguments: edited ?? asked };
}
