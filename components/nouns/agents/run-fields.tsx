import { MultiSelect, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { providerResource } from "@/components/nouns/models/queries";
import type { AgentRunLimits, ModelSettings, RunModel } from "@/contracts/runs/runs";
import classes from "./agents.module.css";

/** Fields of an agent that runs by itself. */
export type RunValues = { instructions: string; models: RunModel[]; modelSettings: ModelSettings; runLimits: AgentRunLimits };

type RunFieldsProps = {
  values: RunValues;
  errors: Partial<Record<string, React.ReactNode>>;
  disabled: boolean;
  onChange: (values: RunValues) => void;
};

type Limit = keyof AgentRunLimits;

const limitFields: readonly { name: Limit; label: string; max: number; decimals?: boolean; optional?: boolean }[] = [
  { name: "steps", label: "Steps", max: 500 },
  { name: "tokens", label: "Tokens", max: 100_000_000 },
  { name: "costUsd", label: "Cost in US dollars", max: 100_000, decimals: true, optional: true },
  { name: "seconds", label: "Time in seconds", max: 86_400 },
  { name: "contextTokens", label: "Context in tokens, then older messages are summarised", max: 10_000_000 },
  { name: "concurrentRuns", label: "Concurrent runs", max: 1_000 },
];

/** Instructions, models and limits of an agent's runs. */
export function RunFields({ values, errors, disabled, onChange }: RunFieldsProps) {
  const providers = useQuery(providerResource.list());
  const { instructions, models, modelSettings, runLimits } = values;
  const offered = providers.data?.items.flatMap(({ id, name, models }) =>
    models.map((model) => ({ value: toValue({ providerId: id, model: model.name }), label: spellHidden(`${model.name} (${name})`) })),
  );
  const known = new Set(offered?.map(({ value }) => value));
  const missing = models
    .filter((model) => !known.has(toValue(model)))
    .map((model) => ({ value: toValue(model), label: providers.isPending ? model.model : `${model.model} (not offered any more)` }));
  return (
    <>
      <AutosizeTextarea
        label="Instructions"
        description="The agent's model reads them before every conversation."
        placeholder="You answer customers of the shop. Be brief, and never promise a refund."
        rows={[3, 20]}
        maxLength={100_000}
        disabled={disabled}
        value={instructions}
        onChange={(event) => onChange({ ...values, instructions: event.currentTarget.value })}
        error={errors.instructions}
      />
      <MultiSelect
        label="Models"
        description="Tried in this order. Empty: the first model of each provider, in the order of Settings → Models."
        placeholder={models.length === 0 ? "All providers in their order" : ""}
        data={[...(offered ?? []), ...missing]}
        searchable
        hidePickedOptions
        maxValues={10}
        nothingFoundMessage="No such model. Add it in Settings → Models."
        disabled={disabled}
        value={models.map(toValue)}
        onChange={(chosen) => onChange({ ...values, models: chosen.map(toModel) })}
        error={errors.models}
      />
      <ReplyFields
        settings={modelSettings}
        errors={errors}
        disabled={disabled}
        onChange={(changed) => onChange({ ...values, modelSettings: changed })}
      />
      <LimitFields
        limits={runLimits}
        errors={errors}
        disabled={disabled}
        onChange={(changed) => onChange({ ...values, runLimits: changed })}
      />
    </>
  );
}

type ReplyFieldsProps = Pick<RunFieldsProps, "errors" | "disabled"> & {
  settings: ModelSettings;
  onChange: (settings: ModelSettings) => void;
};

function ReplyFields({ settings, errors, disabled, onChange }: ReplyFieldsProps) {
  const set = (name: keyof ModelSettings, value: string | number) =>
    onChange({ ...settings, [name]: typeof value === "number" ? value : null });
  return (
    <fieldset className={classes.limits}>
      <legend>Replies</legend>
      <NumberInput
        label="Temperature"
        placeholder="The model's own"
        min={0}
        max={2}
        step={0.1}
        decimalScale={2}
        allowNegative={false}
        hideControls
        disabled={disabled}
        value={settings.temperature ?? ""}
        onChange={(value) => set("temperature", value)}
        error={errors["modelSettings.temperature"]}
      />
      <IntegerInput
        label="Output tokens"
        placeholder="The model's own"
        range={[1, 1_000_000]}
        allowNegative={false}
        thousandSeparator=","
        hideControls
        disabled={disabled}
        value={settings.maxOutputTokens ?? ""}
        onChange={(value) => set("maxOutputTokens", value)}
        error={errors["modelSettings.maxOutputTokens"]}
      />
    </fieldset>
  );
}

type LimitFieldsProps = Pick<RunFieldsProps, "errors" | "disabled"> & {
  limits: AgentRunLimits;
  onChange: (limits: AgentRunLimits) => void;
};

function LimitFields({ limits, errors, disabled, onChange }: LimitFieldsProps) {
  const set = (name: Limit, value: string | number) => {
    const isEmpty = typeof value !== "number";
    if (isEmpty && name !== "costUsd") return;
    onChange({ ...limits, [name]: isEmpty ? null : value });
  };
  return (
    <fieldset className={classes.limits}>
      <legend>Limits of a run</legend>
      {limitFields.map(({ name, label, max, decimals = false, optional = false }) => (
        <NumberInput
          key={name}
          label={label}
          placeholder={optional ? "No limit" : ""}
          min={decimals ? 0.01 : 1}
          max={max}
          allowDecimal={decimals}
          allowNegative={false}
          thousandSeparator=","
          hideControls
          disabled={disabled}
          value={limits[name] ?? ""}
          onChange={(value) => set(name, value)}
          error={errors[`runLimits.${name}`]}
        />
      ))}
    </fieldset>
  );
}

/** The value of an option; an id has no space. */
const toValue = ({ providerId, model }: RunModel): string => `${providerId} ${model}`;

function toModel(value: string): RunModel {
  const space = value.indexOf(" ");
  return { providerId: value.slice(0, space), model: value.slice(space + 1) };
}
