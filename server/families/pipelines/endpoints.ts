import { delegateEndpoints } from "@/contracts/agents/delegate";
import { answer } from "@/server/endpoints/answer";
import { getDelegate, removeDelegate, setDelegate } from "./set-delegate";

export const delegateAnswers = answer(delegateEndpoints, {
  get: ({ actor }) => getDelegate(actor),
  set: ({ actor, body, version }) => setDelegate(actor, body, version),
  remove: ({ actor }) => removeDelegate(actor),
});
