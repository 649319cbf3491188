import { sandboxEndpoints } from "@/contracts/guard/sandbox";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { answer } from "@/server/endpoints/answer";

export const sandboxAnswers = answer(sandboxEndpoints, {
  status: async () => sandboxStatus(),
});
