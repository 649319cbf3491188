/** The name of the trace steps for earlier refusals; a step's `ruleId` is the refused call. */
export const earlierRefusalStep = "Refused earlier in this conversation";
