import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type MediaSettings, type MediaSettingsPatch, mediaEndpoints } from "@/contracts/browser/models/media";
import { mediaQueries } from "./queries";

/** Saves a change of the media settings at once; a failure is told and loads them again. */
export function useSaveMedia({ version }: Pick<MediaSettings, "version">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (patch: MediaSettingsPatch) => call(mediaEndpoints.update, { body: patch }, { version }),
    meta: { showsError: true },
    onError: async (error) => {
      notifications.show({ color: "red", message: toErrorSentence(error) });
      await client.invalidateQueries({ queryKey: mediaQueries.get().queryKey });
    },
    onSuccess: async (saved) => {
      client.setQueryData(mediaQueries.get().queryKey, saved);
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
}
