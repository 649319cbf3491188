import { delegationEndpoints } from "@/contracts/agents/delegation";
import { answer } from "@/server/endpoints/answer";
import { getConversationDelegation } from "./conversation-delegation";
import { getDelegationSettings, updateDelegationSettings } from "./settings";

export const delegationAnswers = answer(delegationEndpoints, {
  get: ({ actor }) => getDelegationSettings(actor),
  update: ({ actor, body, version }) => updateDelegationSettings(actor, body, version),
  ofConversation: ({ actor, params }) => getConversationDelegation(actor, params.id),
});
