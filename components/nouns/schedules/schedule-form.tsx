"use client";

import { SegmentedControl, Select, Switch, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { EnabledField, NameField } from "@/components/kit/resources/resource-fields";
import { ResourceForm } from "@/components/kit/resources/resource-form";
import { useResource } from "@/components/kit/resources/use-resource";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import shared from "@/components/kit/ui/shared.module.css";
import { agentQueries } from "@/components/nouns/agents/queries";
import { ScheduleDraft, ScheduleTiming } from "@/contracts/automation/schedules";
import { type Schedule, scheduleActions, scheduleKinds } from "@/contracts/browser/automation/schedules";
import { scheduleQueries, scheduleResource } from "./queries";
import { draftOf, emptyFields, type Fields, fieldOf, fieldsOf, timingOf } from "./schedule-fields";

const kindWords = { cron: "Cron", interval: "Interval", once: "Once" } as const;
const actionWords = { prompt: "Prompt for the model", reminder: "Reminder for people" } as const;
const previewFormat = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",

  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** Settings of a schedule: its text and its times. */
export function ScheduleForm({ schedule, onDone }: { schedule: Schedule | null; onDone: () => void }) {
  const agents = useQuery(agentQueries.list());
  const { save } = useResource(scheduleResource);
  return (
    <ResourceForm
      submit={schedule ? "Save" : "Add schedule"}
      initialValues={schedule ? fieldsOf(schedule) : emptyFields}
      parse={(fields) => ScheduleDraft.safeParse(draftOf(fields))}
      fieldOf={(path, { kind }) => fieldOf(path, kind)}
      save={(draft) => save(schedule, draft)}
      onSaved={onDone}
      onCancel={onDone}
    >
      {(form) => (
        <>
          <NameField form={form} placeholder="Morning report" />
          {schedule ? null : (
            <Select
              label="Agent"
              placeholder="The default agent"
              data={nameChoices(agents.data?.items)}
              searchable
              clearable
              {...form.getInputProps("agent")}
            />
          )}
          <Select
            label="What it does"
            data={scheduleActions.map((value) => ({ value, label: actionWords[value] }))}
            allowDeselect={false}
            {...form.getInputProps("action")}
          />
          <AutosizeTextarea
            label="Text"
            description={
              form.values.action === "prompt" ? "The runtime sends it to the model." : "People read it as it is; no model rewrites it."
            }
            rows={[3, 12]}
            maxLength={4_000}
            {...form.getInputProps("text")}
          />
          <div>
            <SegmentedControl
              aria-label="Kind of time"
              data={scheduleKinds.map((value) => ({ value, label: kindWords[value] }))}
              fullWidth
              {...form.getInputProps("kind")}
            />
          </div>
          {form.values.kind === "cron" ? (
            <>
              <TextInput
                label="Cron expression"
                description="Minute, hour, day of month, month, day of week"
                placeholder="0 9 * * 1-5"
                {...codeInputProps}
                {...form.getInputProps("expression")}
              />
              <Select
                label="Time zone"
                data={timezones()}
                searchable
                allowDeselect={false}
                limit={100}
                {...form.getInputProps("timezone")}
              />
            </>
          ) : form.values.kind === "interval" ? (
            <IntegerInput label="Every … minutes" range={[1, 44_640]} {...form.getInputProps("everyMinutes")} />
          ) : (
            <TextInput
              type="datetime-local"
              label="Date and time"
              description="In the time zone of this browser"
              {...form.getInputProps("at")}
            />
          )}
          <NextTimes values={form.values} />
          <Switch
            label="Make up for missed runs"
            description="One late run after the server was down; off skips them"
            {...form.getInputProps("missed", { type: "checkbox" })}
          />
          <EnabledField form={form} off="Off pauses the schedule and keeps its settings" />
        </>
      )}
    </ResourceForm>
  );
}

/** The next runs of the times in the form, or why there are none. */
function NextTimes({ values }: { values: Fields }) {
  const [settled] = useDebouncedValue(JSON.stringify([timingOf(values), values.timezone]), 300);
  const [timing, timezone] = JSON.parse(settled) as [unknown, string];
  const parsed = ScheduleTiming.safeParse(timing);
  const preview = useQuery({
    ...scheduleQueries.preview(parsed.success ? parsed.data : { kind: "interval", everySeconds: 60 }, timezone),
    enabled: parsed.success,
  });
  if (!parsed.success) return null;
  return (
    <p className={shared.note} role="status">
      {preview.error
        ? toErrorSentence(preview.error)
        : preview.data?.times.length === 0
          ? "This time is over."
          : `Next: ${
              preview.data?.times
                .slice(0, 3)
                .map((time) => previewFormat.format(Date.parse(time)))
                .join(" · ") ?? "…"
            }`}
    </p>
  );
}

const timezones = (): string[] => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
