"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { replaceRow } from "@/components/kit/resources/replace-row";
import { type DetectorSetting, type GuardDetector, guardEndpoints } from "@/contracts/browser/guard/guard";
import { guardQueries } from "../queries";

const detectorsKey = guardQueries.detectors().queryKey;

/** Changes a detector's settings. The page shows the change at once and reverts it after a refusal. */
export function useChangeDetector() {
  const client = useQueryClient();
  const show = (detector: GuardDetector, policyVersion?: number) =>
    client.setQueryData(
      detectorsKey,
      (list) =>
        list && {
          ...list,
          policyVersion: policyVersion ?? list.policyVersion,
          items: replaceRow(list.items, detector),
        },
    );
  return useMutation({
    // Changes run one after the other, because each needs the version that the previous one created.
    scope: { id: "guard detectors" },
    mutationFn: ({ detector, setting }: { detector: GuardDetector; setting: DetectorSetting }) =>
      call(
        guardEndpoints.updateDetector,
        { params: { id: detector.id }, body: setting },
        { version: client.getQueryData(detectorsKey)?.policyVersion ?? 0 },
      ),
    onMutate: async ({ detector, setting }) => {
      await client.cancelQueries({ queryKey: detectorsKey });
      show({ ...detector, enabled: setting.enabled, verdict: setting.verdict ?? detector.ownVerdict });
    },
    onError: (_error, { detector }) => show(detector),
    // Each save increases the policy version by one.
    onSuccess: (saved) => show(saved, (client.getQueryData(detectorsKey)?.policyVersion ?? 0) + 1),
    onSettled: () => client.invalidateQueries({ queryKey: guardQueries.all() }),
  });
}
