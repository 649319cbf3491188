import type { HookAction } from "@/contracts/hook-actions";
import { judge, webhook } from "./actions/ask-program";
import { filter } from "./actions/filter";
import { mask } from "./actions/mask";
import { audit, countTokensOf } from "./actions/note";
import { redact } from "./actions/redact";
import { inject, setValue } from "./actions/set-value";
import { truncate } from "./actions/truncate";
import { validate } from "./actions/validate";
import type { HookAct } from "./scene";

/** What an action does. @throws Error with a sentence for a pattern or a schema that cannot be used. */
export function actOf(action: HookAction): HookAct {
  switch (action.type) {
    case "redact":
      return redact(action);
    case "mask":
      return mask(action);
    case "set":
      return setValue(action);
    case "inject":
      return inject(action);
    case "validate":
      return validate(action);
    case "deny":
      return () => ({ kind: "refused", reason: action.reason });
    case "filter":
      return filter(action);
    case "truncate":
      return truncate(action);
    case "audit":
      return audit(action);
    case "webhook":
      return webhook(action);
    case "cache":
      // What is kept is looked up by the value that all other hooks have left: see look-up-answer.
      return () => ({ kind: "kept", message: "It looks for an answer when all others have run, and keeps what is answered" });
    case "count_tokens":
      return countTokensOf;
    case "fall_back":
      return () => ({ kind: "supplied", result: action.result });
    case "judge":
      return judge(action);
  }
}
