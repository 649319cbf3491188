"use client";

import {
  Chip,
  Group,
  Input,
  MultiSelect,
  SegmentedControl,
  Select,
  Switch,
  TagsInput,
  type TagsInputProps,
  TextInput,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import fields from "@/components/kit/ui/forms/fields.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { agentQueries } from "@/components/nouns/agents/queries";
import { codingClients } from "@/contracts/browser/agents/coding-agents";
import { actorTypes } from "@/contracts/browser/common";
import { conversationOrigins } from "@/contracts/browser/conversations/conversations";
import { type TimeWindow, weekdays } from "@/contracts/browser/guard/rule-conditions";
import { actorWords, dayWords, originWords } from "../words/describe-conditions";
import type { RuleForm } from "./rule-draft";
import classes from "./rule-fields.module.css";

const interactiveChoices = [
  { value: "any", label: "Either way" },
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

type ContextFieldsProps = { form: UseFormReturnType<RuleForm>; readOnly: boolean };

/** Conditions on a call's origin and time; an empty field matches every call. */
export function ContextFields({ form, readOnly }: ContextFieldsProps) {
  const { data: agents } = useQuery(agentQueries.list());
  return (
    <>
      <ListField
        {...{ form, readOnly }}
        field="agents"
        label="Agents"
        nothing="Every agent"
        data={(agents?.items ?? []).map(({ name }) => name)}
      />
      <ListField
        {...{ form, readOnly }}
        field="actors"
        label="Requested by"
        description="user, api_key, agent, system, or ids"
        nothing="Everybody"
        data={[...actorTypes]}
        renderOption={({ option }) => {
          const kind = actorTypes.find((known) => known === option.value);
          return kind ? `${kind}: ${actorWords[kind]}` : option.value;
        }}
      />
      <ListField form={form} readOnly={readOnly} field="channels" label="Channels" nothing="Every channel" />
      <MultiSelect
        label="Started by"
        placeholder={form.values.context.origins.length > 0 ? "" : "Anything"}
        data={conversationOrigins.map((value) => ({ value, label: originWords[value] }))}
        readOnly={readOnly}
        {...form.getInputProps("context.origins")}
      />
      <ListField
        {...{ form, readOnly }}
        field="repositories"
        label="Repositories"
        description="Of coding agents: github.com/acme/shop, or github.com/acme/* for all below"
      />
      <ListField form={form} readOnly={readOnly} field="clients" label="Clients that run the call" data={[...codingClients]} />
      <ListField {...{ form, readOnly }} field="machines" label="Machines" description="Names of machines, as coding agents say them" />
      <ListField form={form} readOnly={readOnly} field="users" label="Users of the machines" />
      <Input.Wrapper label="A person can be asked" labelElement="div">
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="A person can be asked"
          data={interactiveChoices}
          readOnly={readOnly}
          {...form.getInputProps("context.interactive")}
        />
      </Input.Wrapper>
      <TimeFields form={form} readOnly={readOnly} />
    </>
  );
}

type ListFieldProps = ContextFieldsProps &
  Pick<TagsInputProps, "label" | "description" | "data" | "renderOption"> & {
    field: "agents" | "actors" | "channels" | "repositories" | "clients" | "machines" | "users";
    /** Words for the meaning of the empty field. */
    nothing?: string;
  };

function ListField({ form, readOnly, field, nothing = "Any or none", ...props }: ListFieldProps) {
  return (
    <TagsInput
      {...props}
      placeholder={form.values.context[field].length > 0 ? "" : nothing}
      readOnly={readOnly}
      {...form.getInputProps(`context.${field}`)}
    />
  );
}

function TimeFields({ form, readOnly }: ContextFieldsProps) {
  const { time } = form.values.context;
  const setTime = (value: TimeWindow | null) => form.setFieldValue("context.time", value);
  const timeError = form.errors["context.time"];
  return (
    <>
      <Switch
        label="Only at certain times"
        checked={time !== null}
        disabled={readOnly}
        onChange={(event) => setTime(event.currentTarget.checked ? { days: [], from: "09:00", to: "17:00", zone: zoneHere() } : null)}
      />
      {time ? (
        <fieldset className={fields.group}>
          <legend className={fields.legend}>Times</legend>
          <Chip.Group
            multiple
            value={time.days}
            onChange={(days) => setTime({ ...time, days: weekdays.filter((day) => days.includes(day)) })}
          >
            <Group gap={4}>
              {weekdays.map((day) => (
                <Chip key={day} value={day} size="xs" disabled={readOnly} classNames={{ label: classes.day }}>
                  {dayWords[day]}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <div className={fields.pair}>
            <TextInput
              type="time"
              label="From"
              value={time.from}
              readOnly={readOnly}
              onChange={(event) => setTime({ ...time, from: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label="Until"
              value={time.to}
              readOnly={readOnly}
              onChange={(event) => setTime({ ...time, to: event.currentTarget.value })}
            />
          </div>
          <Select
            label="Time zone"
            searchable
            limit={50}
            data={zones(time.zone)}
            allowDeselect={false}
            value={time.zone}
            readOnly={readOnly}
            onChange={(zone) => setTime({ ...time, zone: zone ?? time.zone })}
          />
          {timeError ? (
            <Input.Error>
              <RevealedText text={timeError} />
            </Input.Error>
          ) : null}
        </fieldset>
      ) : null}
    </>
  );
}

function zoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

function zones(chosen: string): string[] {
  return [...new Set(["UTC", chosen, ...Intl.supportedValuesOf("timeZone")])];
}
