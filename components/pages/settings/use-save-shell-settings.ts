"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { shellSettingsEndpoints } from "@/contracts/browser/tools/shell";
import type { ShellSettingsPatch } from "@/contracts/tools/shell";
import { shellSettingsQueries } from "./queries";

type ShellForm = {
  /** Shows errors by the members of a patch, such as `registries.npm.url`. */
  showErrors: (errors: Record<string, unknown>) => void;
  /** Forgets what was typed, once it is saved. */
  reset: () => void;
  /** Said when the settings are saved. */
  saved: string;
};

/** Saves a part of the shell settings, which two forms of the page have in common. */
export function useSaveShellSettings({ showErrors, reset, saved }: ShellForm) {
  const client = useQueryClient();
  const key = shellSettingsQueries.get().queryKey;
  const save = useMutation({
    meta: { showsError: true },
    scope: { id: "shell settings" },
    mutationFn: (patch: ShellSettingsPatch) =>
      call(shellSettingsEndpoints.update, { body: patch }, { version: client.getQueryData(key)?.version ?? 0 }),
    onError: (error) => showErrors(fieldErrors(error)),
    onSuccess: (settings) => {
      client.setQueryData(key, settings);
      reset();
      notifications.show({ message: saved });
    },
  });
  /** Saves what a form holds, or shows what is wrong with it. */
  const saveChecked = async (typed: unknown) => {
    const { ShellSettingsPatch } = await import("@/contracts/tools/shell");
    const parsed = ShellSettingsPatch.safeParse(typed);
    if (parsed.success) save.mutate(parsed.data);
    else showErrors(issueErrors(parsed.error.issues, (path) => path.join(".")));
  };
  return { save, saveChecked };
}
