import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { delegateEndpoints } from "@/contracts/browser/agents/delegate";
import { mailSettingsEndpoints } from "@/contracts/browser/notifications/mail-settings";
import { resultSettingsEndpoints } from "@/contracts/browser/tools/result-settings";
import { searchSettingsEndpoints } from "@/contracts/browser/tools/search-settings";
import { shellSettingsEndpoints } from "@/contracts/browser/tools/shell";

export const delegateQueries = {
  get: () => queryOptions({ queryKey: ["delegate"], queryFn: ({ signal }) => call(delegateEndpoints.get, {}, { signal }) }),
};

export const resultSettingsQueries = {
  get: () => queryOptions({ queryKey: ["result-settings"], queryFn: ({ signal }) => call(resultSettingsEndpoints.get, {}, { signal }) }),
};

export const searchSettingsQueries = {
  get: () => queryOptions({ queryKey: ["search-settings"], queryFn: ({ signal }) => call(searchSettingsEndpoints.get, {}, { signal }) }),
};

export const shellSettingsQueries = {
  get: () => queryOptions({ queryKey: ["shell-settings"], queryFn: ({ signal }) => call(shellSettingsEndpoints.get, {}, { signal }) }),
};

export const mailSettingsQueries = {
  get: () => queryOptions({ queryKey: ["mail-settings"], queryFn: ({ signal }) => call(mailSettingsEndpoints.get, {}, { signal }) }),
};
