"use client";

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { replaceRow } from "@/components/kit/resources/replace-row";
import {
  type GuardConfig,
  type GuardConfigPatch,
  type GuardRule,
  type GuardRuleDraft,
  guardEndpoints,
  type ListedRule,
} from "@/contracts/browser/guard/guard";
import { policyEndpoints } from "@/contracts/browser/guard/policy";
import type { DefinitionOf, Sending } from "@/contracts/endpoint";
import { offerCovered } from "./covered-approvals";
import { guardQueries } from "./queries";
import { draftOf } from "./rule-form/draft-of-rule";

const configKey = guardQueries.config().queryKey;
const rulesKey = guardQueries.rules().queryKey;

/** Changes the guard's configuration. The page shows the change at once and reverts it after a refusal. */
export function useChangeConfig() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ config, patch }: { config: GuardConfig; patch: GuardConfigPatch }) =>
      call(guardEndpoints.updateConfig, { body: patch }, { version: config.policyVersion }),
    onMutate: async ({ patch }) => {
      await client.cancelQueries({ queryKey: configKey });
      client.setQueryData(configKey, (config) => config && { ...config, ...patch });
    },
    onError: (_error, { config }) => client.setQueryData(configKey, config),
    onSuccess: (saved) => client.setQueryData(configKey, saved),
    onSettled: () => client.invalidateQueries({ queryKey: guardQueries.all() }),
  });
}

/** Reorders the rules, first tried first. */
export function useOrderRules() {
  const client = useQueryClient();
  return useMutation({
    scope: { id: "guard rules" },
    mutationFn: ({ ordered, from }: { ordered: readonly ListedRule[]; from: readonly ListedRule[] }) =>
      call(guardEndpoints.orderRules, { body: { ids: idsOf(ordered), from: idsOf(from) } }),
    onMutate: async ({ ordered }) => {
      await client.cancelQueries({ queryKey: rulesKey });
      const before = client.getQueryData(rulesKey);
      client.setQueryData(rulesKey, [...ordered]);
      return { before };
    },
    onError: (_error, _ordered, saved) => client.setQueryData(rulesKey, saved?.before),
    // Reordering gives rules new versions, and the next change has to name them.
    onSuccess: ({ items }) => client.setQueryData(rulesKey, items),
    onSettled: () => client.invalidateQueries({ queryKey: guardQueries.all() }),
  });
}

const idsOf = (rules: readonly GuardRule[]) => rules.map(({ id }) => id);

/** Switches one rule on or off. */
export function useSwitchRule() {
  const client = useQueryClient();
  const show = (rule: ListedRule) => client.setQueryData(rulesKey, (rules) => rules && replaceRow(rules, rule));
  return useMutation({
    scope: { id: "guard rules" },
    mutationFn: ({ rule, enabled }: { rule: ListedRule; enabled: boolean }) =>
      call(
        guardEndpoints.updateRule,
        { params: { id: rule.id }, body: { ...draftOf(rule), enabled } },
        { version: shownVersion(client, rule) },
      ),
    onMutate: async ({ rule, enabled }) => {
      await client.cancelQueries({ queryKey: rulesKey });
      show({ ...rule, enabled });
    },
    onError: (_error, { rule }) => show(rule),
    onSettled: () => client.invalidateQueries({ queryKey: guardQueries.all() }),
  });
}

/** Returns the version of a rule that the page shows now: a queued change must start from the result of the change before it. */
function shownVersion(client: QueryClient, rule: GuardRule): number {
  return client.getQueryData(rulesKey)?.find(({ id }) => id === rule.id)?.version ?? rule.version;
}

/** Saves a rule; a new rule may bring a second rule for the tool's other calls. */
export function useSaveRule() {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: async ({
      saved,
      draft,
      otherwise,
    }: {
      saved: GuardRule | null;
      draft: GuardRuleDraft;
      otherwise: GuardRuleDraft | null;
    }) => {
      if (saved) return call(guardEndpoints.updateRule, { params: { id: saved.id }, body: draft }, { version: saved.version });
      // Creates the rule for the other calls first: if the second request fails, too many calls need approval and none slips through.
      if (otherwise) await call(guardEndpoints.createRule, { body: otherwise });
      return call(guardEndpoints.createRule, { body: draft });
    },
    onSuccess: ({ verdict, enabled }) => {
      // Rules decide only new calls, so pending calls that this rule allows are offered for approval.
      if (verdict === "allow" && enabled) void offerCovered();
    },
    onSettled: () => client.invalidateQueries({ queryKey: guardQueries.all() }),
  });
}

/** Removes a rule; `restore` recreates it under a new id. */
export function useRemoveRule() {
  const client = useQueryClient();
  const settled = { onSettled: () => client.invalidateQueries({ queryKey: guardQueries.all() }) };
  const remove = useMutation({
    scope: { id: "guard rules" },
    mutationFn: (rule: GuardRule) => call(guardEndpoints.removeRule, { params: { id: rule.id } }, { version: shownVersion(client, rule) }),
    ...settled,
  });
  const restore = useMutation({
    mutationFn: (rule: GuardRule) => call(guardEndpoints.createRule, { body: draftOf(rule) }),
    ...settled,
  });
  return { remove, restore };
}

/** Imports rules, or only returns the changes that an import would make. */
export function useImportRules() {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: ({
      body,
      policyVersion,
    }: {
      body: Sending<DefinitionOf<typeof policyEndpoints.importRules>>["body"];
      policyVersion: number | null;
    }) => call(policyEndpoints.importRules, { body }, policyVersion === null ? {} : { version: policyVersion }),
    onSuccess: ({ applied }) => (applied ? client.invalidateQueries({ queryKey: guardQueries.all() }) : undefined),
  });
}

/** Makes an earlier version of the policy the current one. */
export function useRestoreVersion() {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: ({ version, policyVersion }: { version: number; policyVersion: number }) =>
      call(guardEndpoints.restoreVersion, { params: { version } }, { version: policyVersion }),
    onSettled: () => client.invalidateQueries({ queryKey: guardQueries.all() }),
  });
}
