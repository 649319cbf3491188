import type { HookAction } from "@/contracts/hooks/hook-actions";
import { judge, webhook } from "./actions/ask-program";
import { filter } from "./actions/filter";
import { mask } from "./actions/mask";
import { audit, countTokensAction } from "./actions/observe";
import { redact } from "./actions/redact";
import { inject, setValue } from "./actions/set-value";
import { truncate } from "./actions/truncate";
import { validate } from "./actions/validate";
import type { CompiledAction } from "./hook-context";

/** Compiles an action to a function. @throws Error with a sentence for a pattern or a schema that cannot be used. */
export function compileAction(action: HookAction): CompiledAction {
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
      // The lookup happens after all other hooks, with the value that they left: see look-up-answer.
      return () => ({ kind: "kept", message: "The cache answers after all other hooks, and keeps new answers" });
    case "count_tokens":
      return countTokensAction;
    case "fall_back":
      return () => ({ kind: "supplied", result: action.result });
    case "judge":
      return judge(action);
  }
}
