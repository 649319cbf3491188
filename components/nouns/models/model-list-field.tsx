import { ActionIcon, Autocomplete, Button, Input, NativeSelect, NumberInput } from "@mantine/core";
import { IconArrowUp, IconListSearch, IconPlus, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { toolCallModes } from "@/contracts/browser/models/models";
import type { OfferedModel } from "@/contracts/models/models";
import classes from "./models.module.css";
import { withoutPrice } from "./provider-form-values";

type ModelListFieldProps = {
  models: readonly OfferedModel[];
  error: ReactNode;
  /** Models that the provider named; null before it was asked. */
  offered: readonly OfferedModel[] | null;
  /** Names that are known without asking the provider. */
  offers: readonly string[];
  listError: unknown;
  isListing: boolean;
  onList: () => void;
  onChange: (models: OfferedModel[]) => void;
};

const prices = [
  { member: "inputPrice", label: "Input", absent: "unknown" },
  { member: "cachedInputPrice", label: "Cached input", absent: "as input" },
  { member: "outputPrice", label: "Output", absent: "unknown" },
] as const;

const callModes = [
  { value: "auto", label: "Found out" },
  { value: "native", label: "By the provider" },
  { value: "text", label: "As text" },
];

/** Models of a provider with their prices, context and tool calls; the first is its default. */
export function ModelListField({ models, error, offered, offers, listError, isListing, onList, onChange }: ModelListFieldProps) {
  const [typed, setTyped] = useState("");
  const chosen = new Set(models.map(({ name }) => name));
  const names = (offered?.map(({ name }) => name) ?? offers).filter((name) => !chosen.has(name));
  const add = (text: string) => {
    const name = text.trim();
    if (name === "" || chosen.has(name)) return;
    onChange([...models, offered?.find((model) => model.name === name) ?? withoutPrice(name)]);
    // The picker writes the chosen name into its field after this handler.
    setTimeout(() => setTyped(""));
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // Enter in this field adds a model; it must not send the form.
    event.preventDefault();
    add(typed);
  };
  return (
    <Input.Wrapper
      component="fieldset"
      className={shared.fieldset}
      label="Models"
      labelElement="div"
      description="The first one is the default. Prices are in US dollars per million tokens."
      error={error}
    >
      {models.length > 0 ? (
        <ul className={classes.modelList}>
          {models.map((model, place) => (
            <ModelItem
              key={model.name}
              model={model}
              isDefault={place === 0}
              onChange={(changed) => onChange(models.with(place, changed))}
              onFirst={() => onChange(models.toSpliced(place, 1).toSpliced(0, 0, model))}
              onRemove={() => onChange(models.toSpliced(place, 1))}
            />
          ))}
        </ul>
      ) : null}
      <div className={classes.addModel}>
        <Autocomplete
          aria-label="Model to add"
          placeholder={names.length > 0 ? `Choose one of ${names.length}` : "Name of a model"}
          data={names}
          limit={50}
          maxLength={200}
          {...codeInputProps}
          value={typed}
          onChange={setTyped}
          onOptionSubmit={add}
          onKeyDown={addOnEnter}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={typed.trim() === ""}
          onClick={() => add(typed)}
        >
          Add
        </Button>
        <Button variant="default" leftSection={<IconListSearch size={16} aria-hidden />} loading={isListing} onClick={onList}>
          List models
        </Button>
      </div>
      <ListNote error={listError} offered={offered} />
    </Input.Wrapper>
  );
}

type ModelItemProps = {
  model: OfferedModel;
  isDefault: boolean;
  onChange: (model: OfferedModel) => void;
  /** Makes the model the default. */
  onFirst: () => void;
  onRemove: () => void;
};

function ModelItem({ model, isDefault, onChange, onFirst, onRemove }: ModelItemProps) {
  return (
    <li className={classes.model}>
      <div className={classes.modelName}>
        <CodeText>{model.name}</CodeText>
        {isDefault ? <span className={shared.small}>Default</span> : null}
        <span className={classes.modelButtons}>
          {isDefault ? null : (
            <ActionIcon aria-label={`Make ${model.name} the default`} size="sm" onClick={onFirst}>
              <IconArrowUp size={15} aria-hidden />
            </ActionIcon>
          )}
          <ActionIcon aria-label={`Remove ${model.name}`} size="sm" onClick={onRemove}>
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </span>
      </div>
      <div className={classes.prices}>
        {prices.map(({ member, label, absent }) => (
          <PriceInput
            key={member}
            label={label}
            absent={absent}
            model={model.name}
            price={model[member]}
            onChange={(price) => onChange({ ...model, [member]: price })}
          />
        ))}
        <IntegerInput
          label="Context"
          aria-label={`Context of ${model.name} in tokens`}
          size="xs"
          range={[2_000, 10_000_000]}
          thousandSeparator=","
          hideControls
          placeholder="unknown"
          value={model.contextTokens ?? ""}
          onChange={(value) => onChange({ ...model, contextTokens: typeof value === "number" ? value : null })}
        />
        <NativeSelect
          label="Tool calls"
          aria-label={`Tool calls of ${model.name}`}
          size="xs"
          data={callModes}
          value={model.toolCalls ?? "auto"}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...model, toolCalls: toolCallModes.find((mode) => mode === value) ?? "auto" })
          }
        />
      </div>
    </li>
  );
}

function ListNote({ error, offered }: { error: unknown; offered: readonly OfferedModel[] | null }) {
  if (error) {
    return (
      <p role="alert" className={`${classes.error} ${shared.errorText}`}>
        {toErrorSentence(error)}
      </p>
    );
  }
  if (!offered) return null;
  return (
    <p role="status" className={`${classes.notes} ${shared.dim}`}>
      {offered.length === 0 ? "The provider has no model." : `The provider has ${offered.length.toLocaleString("en")} models.`}
    </p>
  );
}

type PriceInputProps = { label: string; absent: string; model: string; price: number | null; onChange: (price: number | null) => void };

/** Keeps the typed text, because "0." on the way to 0.25 is no price yet. */
function PriceInput({ label, absent, model, price, onChange }: PriceInputProps) {
  const [typed, setTyped] = useState<string | number>(price ?? "");
  return (
    <NumberInput
      label={label}
      aria-label={`${label} price of ${model}`}
      size="xs"
      min={0}
      max={100_000}
      decimalScale={6}
      prefix="$"
      hideControls
      placeholder={absent}
      value={typed}
      onChange={(value) => {
        setTyped(value);
        onChange(value === "" || Number.isNaN(Number(value)) ? null : Number(value));
      }}
    />
  );
}
