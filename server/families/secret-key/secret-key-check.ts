import type { Check } from "@/server/platform/extension-points/doctor-checks";
import { secretKeyStatus } from "./secret-key-status";

export const secretKeyCheck: Check = {
  name: "Secret key",
  isOffline: false,
  run: async (workspaceId) => {
    const { opensSecrets, sentence, wayOut } = await secretKeyStatus(workspaceId);
    return [{ name: "Secret key", status: opensSecrets ? "ok" : "failed", sentence, wayOut }];
  },
};
