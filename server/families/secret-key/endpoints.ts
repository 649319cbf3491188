import { secretKeyEndpoints } from "@/contracts/operations/secret-key";
import { answer } from "@/server/endpoints/answer";
import { secretKeyStatus } from "./secret-key-status";

export const secretKeyAnswers = answer(secretKeyEndpoints, {
  status: async ({ actor }) => secretKeyStatus(actor.workspaceId),
});
