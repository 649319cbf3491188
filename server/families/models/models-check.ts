import { providersInOrder } from "@/server/models/find-provider";
import { fetchModels } from "@/server/models/list-offered-models";
import type { ProviderRow } from "@/server/models/present-provider";
import { storedAccess } from "@/server/models/provider-access";
import { db } from "@/server/platform/database/database";
import { toErrorMessage } from "@/server/platform/errors";
import type { Check, CheckResult } from "@/server/platform/extension-points/doctor-checks";

/** Shorter than the limit of a check, so that one silent provider does not hide the others. */
const answerLimitMs = 3_000;

/** Lists the models of each enabled provider: that costs nothing, and shows whether address and key are right. */
export const modelsCheck: Check = {
  name: "Models",
  isOffline: false,
  run: async (workspaceId) => {
    const enabled = (await providersInOrder(db(), workspaceId)).filter((provider) => provider.enabled);
    const results = await Promise.all(enabled.map(checkProvider));
    const silent = results.filter((result) => result !== null);
    const sentence =
      enabled.length === 0
        ? "No model is configured; tools work without one."
        : `${enabled.length - silent.length} of ${enabled.length} enabled model providers answer.`;
    return [{ name: "Models", status: "ok", sentence }, ...silent];
  },
};

async function checkProvider(provider: ProviderRow): Promise<CheckResult | null> {
  try {
    await fetchModels(storedAccess(provider), new AbortController().signal, answerLimitMs);
    return null;
  } catch (error) {
    return {
      name: `Model provider ${provider.name}`,
      status: "warning",
      sentence: toErrorMessage(error),
      wayOut: "Test the provider and correct its settings.",
      link: { label: provider.name, path: `/settings/models?provider=${provider.id}` },
    };
  }
}
