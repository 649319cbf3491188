"use client";

import { NumberInput, SegmentedControl, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { agentQueries } from "@/components/agents/queries";
import { isApiProblem } from "@/components/api/api-problem";
import { call } from "@/components/api/call";
import { toErrorSentence } from "@/components/api/error-sentence";
import { fieldErrors } from "@/components/api/field-errors";
import { codeInputProps } from "@/components/ui/code-input-props";
import { DrawerForm } from "@/components/ui/drawer-form";
import { DrawerFormFooter } from "@/components/ui/drawer-form-footer";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { type Schedule, scheduleActions, scheduleEndpoints, scheduleKinds } from "@/contracts/browser/schedules";
import { ScheduleDraft, ScheduleTiming } from "@/contracts/schedules";
import { scheduleQueries } from "./queries";
import { emptyFields, type Fields, fieldOf, fieldsOf, timingOf } from "./schedule-fields";
import classes from "./schedules.module.css";

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
  const client = useQueryClient();
  const agents = useQuery(agentQueries.list());
  const form = useForm<Fields>({ mode: "controlled", initialValues: schedule ? fieldsOf(schedule) : emptyFields });
  const { values } = form;
  const save = useMutation({
    meta: { showsError: true },
    mutationFn: async ({ agent, ...draft }: ScheduleDraft) => {
      if (schedule) await call(scheduleEndpoints.update, { params: { id: schedule.id }, body: draft }, { version: schedule.version });
      else await call(scheduleEndpoints.create, { body: { ...draft, ...(agent ? { agent } : {}) } });
      notifications.show({ message: spellHidden(`${draft.name} is saved`) });
    },
    onError: (error) => form.setErrors(errorsOf(error, values)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: scheduleQueries.all() });
      onDone();
    },
  });
  const submit = () => {
    const { name, action, text, timezone, missed, enabled, agent } = values;
    const parsed = ScheduleDraft.safeParse({
      ...{ name, action, text, timezone, enabled },
      missed: missed ? "run_once" : "skip",
      timing: timingOf(values),
      ...(agent ? { agent } : {}),
    });
    form.clearErrors();
    if (parsed.success) save.mutate(parsed.data);
    else
      form.setErrors(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [fieldOf(path.map(String), values.kind), message])));
  };
  const saidBelow = save.error !== null && Object.keys(errorsOf(save.error, values)).length === 0;

  return (
    <DrawerForm
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <DrawerFormFooter
          error={saidBelow ? toErrorSentence(save.error) : null}
          submit={schedule ? "Save" : "Add schedule"}
          isSaving={save.isPending}
          onCancel={onDone}
        />
      }
    >
      <TextInput
        label="Name"
        placeholder="Morning report"
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
      {schedule ? null : (
        <Select
          label="Agent"
          placeholder="The default agent"
          data={agents.data?.items.map(({ id, name }) => ({ value: id, label: spellHidden(name) })) ?? []}
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
      <Textarea
        label="Text"
        description={values.action === "prompt" ? "The runtime sends it to the model." : "People read it as it is; no model rewrites it."}
        autosize
        minRows={3}
        maxRows={12}
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
      {values.kind === "cron" ? (
        <>
          <TextInput
            label="Cron expression"
            description="Minute, hour, day of month, month, day of week"
            placeholder="0 9 * * 1-5"
            {...codeInputProps}
            {...form.getInputProps("expression")}
          />
          <Select label="Time zone" data={timezones()} searchable allowDeselect={false} limit={100} {...form.getInputProps("timezone")} />
        </>
      ) : values.kind === "interval" ? (
        <NumberInput label="Every … minutes" min={1} max={44_640} allowDecimal={false} {...form.getInputProps("everyMinutes")} />
      ) : (
        <TextInput
          type="datetime-local"
          label="Date and time"
          description="In the time zone of this browser"
          {...form.getInputProps("at")}
        />
      )}
      <NextTimes values={values} />
      <Switch
        label="Make up for missed runs"
        description="One late run after the server was down; off skips them"
        {...form.getInputProps("missed", { type: "checkbox" })}
      />
      <Switch
        label="On"
        description="Off pauses the schedule and keeps its settings"
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
    </DrawerForm>
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
    <p className={classes.hint} role="status">
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

function errorsOf(error: unknown, { kind }: Fields): Record<string, string> {
  if (isApiProblem(error) && error.problem.code === "conflict") return { name: error.message };
  return fieldErrors(error, (path) => fieldOf(path.split("."), kind));
}
