"use client";

import { Button, Checkbox, Radio, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { isApiProblem } from "@/components/api/api-problem";
import { call } from "@/components/api/call";
import { sentenceOf } from "@/components/api/sentence-of";
import { EffectBoxes } from "@/components/tools/effect-boxes";
import { trustChoices, trustClassOf } from "@/components/tools/trust-words";
import { MachineText } from "@/components/ui/machine-text";
import type { Agent } from "@/contracts/agents";
import { type ApiKeyDraft, type CreatedApiKey, identityEndpoints } from "@/contracts/identity";
import { type Permission, permissions } from "@/contracts/permissions";
import type { ToolEffect } from "@/contracts/tools";
import type { TrustClass } from "@/contracts/trust";
import { identityQueries } from "./queries";
import { presets, scopeWords } from "./scope-words";
import classes from "./settings.module.css";

const dayMs = 86_400_000;
const expiries = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "never", label: "Never" },
];
const picked = "picked";

type ApiKeyFormProps = { agents: readonly Agent[]; onCreated: (key: CreatedApiKey) => void; onCancel: () => void };

/** Name, what the key is for, whose it is, and until when it holds. */
export function ApiKeyForm({ agents, onCreated, onCancel }: ApiKeyFormProps) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [purpose, setPurpose] = useState("runtime");
  const [scopes, setScopes] = useState<Permission[]>([]);
  const [agentId, setAgentId] = useState<string | null>(null);
  const [allowedEffects, setAllowedEffects] = useState<ToolEffect[] | null>(null);
  const [trustClass, setTrustClass] = useState<TrustClass>("gateway");
  const [expiry, setExpiry] = useState("90");

  const create = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: ApiKeyDraft) => call(identityEndpoints.createApiKey, { body: draft }),
    onSuccess: (created) => {
      onCreated(created);
      return client.invalidateQueries({ queryKey: identityQueries.apiKeys().queryKey });
    },
  });
  const chosen = presets.find(({ value }) => value === purpose)?.scopes ?? scopes;
  // Only what a key of this kind submits belongs to an agent and has limits.
  const submitsCalls = chosen.includes("turns:write") || chosen.includes("admin");
  const takesAgent = chosen.includes("turns:write");

  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      name: name.trim(),
      scopes: [...chosen],
      ...(takesAgent && agentId ? { agentId } : {}),
      ...(submitsCalls ? { allowedEffects, trustClass } : {}),
      ...(expiry === "never" ? {} : { expiresAt: new Date(Date.now() + Number(expiry) * dayMs).toISOString() }),
    });
  };

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label="Name"
        description="Where the key is used, so that you know it again"
        placeholder="Support bot, production"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Radio.Group label="What it is for" value={purpose} onChange={setPurpose}>
        <div className={classes.purposes}>
          {presets.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
          <Radio value={picked} label="Something else" description="Pick what it may do" />
        </div>
      </Radio.Group>
      {purpose === picked ? (
        <Checkbox.Group
          label="It may"
          value={scopes}
          onChange={(values) => setScopes(permissions.filter((scope) => values.includes(scope)))}
        >
          <div className={classes.scopeBoxes}>
            {permissions.map((scope) => (
              <Checkbox key={scope} value={scope} label={scopeWords[scope]} description={<MachineText>{scope}</MachineText>} />
            ))}
          </div>
        </Checkbox.Group>
      ) : null}
      {takesAgent ? (
        <Select
          label="Agent"
          description="The key sees the tools of this agent. None: the conversation says which, or the default agent"
          placeholder="Any agent"
          data={agents.map(({ id, name: label }) => ({ value: id, label }))}
          value={agentId}
          onChange={setAgentId}
          clearable
          clearButtonProps={{ "aria-label": "Any agent" }}
        />
      ) : null}
      {submitsCalls ? (
        <EffectBoxes
          label="Its calls may"
          description="Whatever rules say. All three: no limit"
          allowed={allowedEffects}
          explained
          onChange={setAllowedEffects}
        />
      ) : null}
      <div className={classes.pair}>
        {submitsCalls ? (
          <Select
            label="Who comes with it"
            description="Tools may ask for a trust class or a higher one"
            data={trustChoices}
            value={trustClass}
            onChange={(value) => setTrustClass(trustClassOf(value) ?? "gateway")}
            allowDeselect={false}
          />
        ) : null}
        <Select
          label="Expires"
          description={submitsCalls ? "From then on it is refused" : undefined}
          data={expiries}
          value={expiry}
          onChange={(value) => setExpiry(value ?? "90")}
          allowDeselect={false}
        />
      </div>
      {create.isError ? (
        <p role="alert" className={classes.error}>
          {isApiProblem(create.error) && create.error.problem.errors?.[0]
            ? create.error.problem.errors[0].message
            : sentenceOf(create.error)}
        </p>
      ) : null}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={create.isPending} disabled={name.trim() === "" || chosen.length === 0}>
          Create key
        </Button>
      </div>
    </form>
  );
}
