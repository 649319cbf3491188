"use client";

import { Button, Tabs } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { useShortcuts } from "@/components/kit/keyboard/shortcuts";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { useDetail } from "@/components/kit/ui/overlays/use-detail";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { useIdlePreload } from "@/components/kit/ui/use-idle-preload";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { GuardRule } from "@/contracts/guard/guard";
import type { Tool } from "@/contracts/tools/tools";
import { ConfigBar } from "./config-bar";
import classes from "./guard-view.module.css";
import { PolicyFileNote } from "./policy/policy-file-note";
import { TransferMenu } from "./policy/transfer-menu";
import { PresetMenu } from "./preset-menu";
import { guardQueries } from "./queries";
import type { RuleForm } from "./rule-form/rule-draft";
import { ruleFromCall } from "./rule-form/rule-from-call";
import { RuleList } from "./rule-list";
import type { RulePreset } from "./rule-presets";
import { guardSearch, guardTabs } from "./search-params";

// Loaded on demand and only in the browser, because a field without handlers would lose typed text.
const loading = () => <RowSkeletons rows={5} height={3.5} what="the guard" />;
const TryCall = dynamic(async () => (await import("./try/try-call")).TryCall, { ssr: false, loading });
const DetectorList = dynamic(async () => (await import("./detectors/detector-list")).DetectorList, { ssr: false, loading });
const PolicyVersions = dynamic(async () => (await import("./policy/policy-versions")).PolicyVersions, { ssr: false, loading });
const loadEditor = () => import("./rule-form/rule-editor");
const RuleEditor = dynamic(async () => (await loadEditor()).RuleEditor, { ssr: false });

const newRule = "new";

/** The guard: its switch, the rules in order, a form to try a call, and all versions. */
export function GuardView() {
  const [tab, setTab] = useQueryState("tab", guardSearch.tab);
  const [startWith] = useQueryState("tool", guardSearch.tool);
  const config = useQuery(guardQueries.config());
  const rules = useQuery(guardQueries.rules());
  const tools = useQuery(toolQueries.list());
  const detail = useDetail("rule");
  const [start, setStart] = useState<Partial<RuleForm>>({});
  const [callId, setCallId] = useQueryState("call", guardSearch.call);
  const refusal = useRefusal("guard:write");
  useRowKeys("Guard");
  useIdlePreload(loadEditor);

  const write = (from: Partial<RuleForm>) => {
    setStart(from);
    detail.open(newRule);
  };
  useShortcuts(refusal === null ? [{ keys: "n", label: "New rule", group: "Guard", run: () => write({}) }] : []);

  const error = config.error ?? rules.error;
  if (error && (!config.data || !rules.data)) {
    const retry = () => void Promise.all([config.refetch(), rules.refetch()]);
    return <ErrorState error={error} what="the guard" retry={retry} retrying={config.isFetching || rules.isFetching} />;
  }
  if (!config.data || !rules.data) return <RowSkeletons rows={5} height={3.5} what="the guard" />;

  const items = rules.data;
  const known = tools.data ?? [];
  return (
    <>
      <PolicyFileNote />
      <ConfigBar config={config.data} />
      <Tabs value={tab} onChange={(value) => void setTab(guardTabs.find((name) => name === value) ?? null)} keepMounted={false}>
        <div className={`${classes.tabs} ${shared.spread}`}>
          <Tabs.List className={classes.tabList}>
            <Tabs.Tab value="rules">Rules ({items.length})</Tabs.Tab>
            <Tabs.Tab value="detectors">Detectors</Tabs.Tab>
            <Tabs.Tab value="try">Try a call</Tabs.Tab>
            <Tabs.Tab value="versions">Versions</Tabs.Tab>
          </Tabs.List>
          {tab === "rules" ? (
            <div className={classes.actions}>
              <TransferMenu config={config.data} />
              <DisabledReason reason={refusal}>
                <div className={classes.actions}>
                  <PresetMenu disabled={refusal !== null} onChoose={(preset) => write(formOfPreset(preset))} />
                  <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={refusal !== null} onClick={() => write({})}>
                    New rule
                  </Button>
                </div>
              </DisabledReason>
            </div>
          ) : null}
        </div>
        <Tabs.Panel value="rules">
          {items.length === 0 ? <NoRules /> : null}
          <RuleList rules={items} tools={known} config={config.data} onOpen={detail.open} />
        </Tabs.Panel>
        <Tabs.Panel value="detectors">
          <DetectorList config={config.data} tools={known} />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryCall tools={known} startWith={startWith} refusal={refusal} onMakeRule={write} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <PolicyVersions current={config.data.policyVersion} />
        </Tabs.Panel>
      </Tabs>
      <OpenRule
        id={detail.id}
        start={start}
        callId={callId}
        rules={items}
        tools={known}
        onClose={() => {
          void setCallId(null);
          detail.close();
        }}
      />
    </>
  );
}

type OpenRuleProps = {
  id: string | null;
  start: Partial<RuleForm>;
  /** Recorded call that a new rule begins with. */
  callId: string | null;
  rules: readonly GuardRule[];
  tools: readonly Tool[];
  onClose: () => void;
};

/** The editor of the rule in the address; nothing for a rule that was removed. */
function OpenRule({ id, start, callId, rules, tools, onClose }: OpenRuleProps) {
  const rule = rules.find((known) => known.id === id) ?? null;
  const isFromCall = id === newRule && callId !== null;
  const fromCall = useQuery({ ...guardQueries.start(callId ?? ""), enabled: isFromCall });
  if (id === null || (id !== newRule && !rule)) return null;
  if (isFromCall && fromCall.isPending) return null;
  // Without the call, which was deleted, the editor opens empty.
  const startForm = isFromCall && fromCall.data ? ruleFromCall(fromCall.data) : start;
  // Ignores a rule that somebody else saved meanwhile: the editor keeps its text, and saving reports the conflict.
  return <RuleEditor key={id} rule={rule} start={startForm} rules={rules} tools={tools} onClose={onClose} />;
}

function NoRules() {
  return (
    <p className={`${shared.note} ${shared.above} ${shared.prose}`}>
      No rules yet: the default below decides every call. Add a rule that allows harmless calls or denies dangerous ones, or start with a
      preset.
    </p>
  );
}

function formOfPreset({ rule, otherwise }: RulePreset): Partial<RuleForm> {
  return { ...rule, parameter: rule.parameter ?? "", pattern: rule.pattern ?? "", otherwise: otherwise ?? "next" };
}
