"use client";

import { Autocomplete, NumberInput, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import fields from "@/components/kit/ui/forms/fields.module.css";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import { agentQueries } from "@/components/nouns/agents/queries";
import { toolChoices } from "@/components/nouns/guard/rule-form/tool-choices";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type HookActionType, type HookEvent, hookEvents } from "@/contracts/browser/hooks/hook-actions";
import { maxHookMs, maxJudgeMs } from "@/contracts/browser/hooks/hooks";
import { callsOut } from "@/contracts/hooks/hook-actions";
import { ActionFields } from "./action-fields";
import { actionsFor, type HookForm } from "./hook-form";
import { actionWords, eventWords } from "./hook-words";

/** The fields of a hook: event, match and action. */
export function HookFields({ form, readOnly }: { form: UseFormReturnType<HookForm>; readOnly: boolean }) {
  const { values } = form;
  const tools = useQuery(toolQueries.list());
  const agents = useQuery(agentQueries.list());
  const agentChoices = nameChoices(agents.data?.items);
  const judgesByAgent = values.action === "judge" && values.judgeAgentId !== "";
  const isOfModel = values.event.endsWith("_llm");
  const chooseEvent = (event: HookEvent) => {
    const actions = actionsFor(event);
    form.setValues({ event, ...(actions.includes(values.action) ? {} : { action: actions[0] }) });
  };
  const chooseAction = (action: HookActionType) =>
    form.setValues({ action, judgeAgentId: "", timeoutMs: Math.min(Number(values.timeoutMs), maxHookMs) });
  const machine = { readOnly, ...codeInputProps };
  return (
    <>
      <TextInput label="Name" readOnly={readOnly} maxLength={100} autoComplete="off" data-autofocus {...form.getInputProps("name")} />
      <Select
        label="When"
        description={`The hook sees ${eventWords[values.event].sees}. When it fails, ${eventWords[values.event].failing}.`}
        data={hookEvents.map((event) => ({ value: event, label: eventWords[event].label }))}
        allowDeselect={false}
        disabled={readOnly}
        {...form.getInputProps("event")}
        onChange={(event) => event && chooseEvent(event as HookEvent)}
      />
      {isOfModel ? null : (
        <Autocomplete
          label="Tool"
          description="A name, a pattern with *, or a kind such as effect:write"
          data={toolChoices(tools.data ?? [])}
          limit={60}
          {...machine}
          {...form.getInputProps("tool")}
        />
      )}
      <Select
        label="Agent"
        placeholder="Every agent"
        data={agentChoices}
        clearable
        disabled={readOnly}
        {...form.getInputProps("agentId")}
        value={values.agentId || null}
        onChange={(agentId) => form.setFieldValue("agentId", agentId ?? "")}
      />
      <div className={fields.pair}>
        <TextInput
          label={isOfModel ? "Only where" : "Only where the argument"}
          placeholder="/path"
          {...machine}
          {...form.getInputProps("argumentPointer")}
        />
        <TextInput label="matches" placeholder="Every call" {...machine} {...form.getInputProps("argumentPattern")} />
      </div>
      <Select
        label="Action"
        description={actionWords[values.action].explanation}
        data={actionsFor(values.event).map((action) => ({ value: action, label: actionWords[action].label }))}
        allowDeselect={false}
        disabled={readOnly}
        {...form.getInputProps("action")}
        onChange={(action) => action && chooseAction(action as HookActionType)}
      />
      <ActionFields form={form} readOnly={readOnly} agents={agentChoices} />
      <div className={fields.pair}>
        <NumberInput
          label="Time limit (ms)"
          min={50}
          max={judgesByAgent ? maxJudgeMs : maxHookMs}
          step={250}
          readOnly={readOnly}
          {...form.getInputProps("timeoutMs")}
        />
        {callsOut(values.action) && (
          <NumberInput label="Calls a minute" min={1} max={6_000} readOnly={readOnly} {...form.getInputProps("ratePerMinute")} />
        )}
      </div>
    </>
  );
}
