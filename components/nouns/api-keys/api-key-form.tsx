"use client";

import { Button, Checkbox, Radio, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import classes from "@/components/kit/settings-frame/settings.module.css";
import { LateForm } from "@/components/kit/ui/forms/late-form";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { EffectBoxes } from "@/components/nouns/tools/effect-boxes";
import { parseTrustClass, trustChoices } from "@/components/nouns/tools/trust-words";
import type { Agent } from "@/contracts/agents/agents";
import { type ApiKeyDraft, type CreatedApiKey, identityEndpoints } from "@/contracts/browser/identity/identity";
import { type Permission, permissions } from "@/contracts/browser/permissions";
import { permissionWords } from "@/contracts/generated";
import type { ToolEffect } from "@/contracts/tools/tools";
import type { TrustClass } from "@/contracts/tools/trust";
import { apiKeyQueries } from "./queries";
import { presets } from "./scope-words";

const dayMs = 86_400_000;
const expiries = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "never", label: "Never" },
];
const picked = "picked";

type ApiKeyFormProps = { agents: readonly Agent[]; agentId: string | null; onCreated: (key: CreatedApiKey) => void; onCancel: () => void };

/** Form for a key: name, scopes, owner and expiry. */
export function ApiKeyForm({ agents, agentId: firstAgent, onCreated, onCancel }: ApiKeyFormProps) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [purpose, setPurpose] = useState("runtime");
  const [scopes, setScopes] = useState<Permission[]>([]);
  const [agentId, setAgentId] = useState<string | null>(firstAgent);
  const [allowedEffects, setAllowedEffects] = useState<ToolEffect[] | null>(null);
  const [trustClass, setTrustClass] = useState<TrustClass>("gateway");
  const [expiry, setExpiry] = useState("90");

  const create = useMutation({
    meta: { showsError: true },
    mutationFn: (draft: ApiKeyDraft) => call(identityEndpoints.createApiKey, { body: draft }),
    onSuccess: (created) => {
      onCreated(created);
      return client.invalidateQueries({ queryKey: apiKeyQueries.list().queryKey });
    },
  });
  const chosen = presets.find(({ value }) => value === purpose)?.scopes ?? scopes;
  // Only keys that submit calls belong to an agent and have limits.
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
    <LateForm className={shared.story} onSubmit={submit}>
      <TextInput
        label="Name"
        description="The program that uses the key"
        placeholder="Support bot, production"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PurposeField purpose={purpose} scopes={scopes} onPurpose={setPurpose} onScopes={setScopes} />
      {takesAgent ? <AgentField agents={agents} agentId={agentId} onChange={setAgentId} /> : null}
      {submitsCalls ? (
        <EffectBoxes
          label="Allowed effects"
          description="Calls with other effects are denied. All three: no limit"
          allowed={allowedEffects}
          explained
          onChange={setAllowedEffects}
        />
      ) : null}
      <div className={classes.pair}>
        {submitsCalls ? (
          <Select
            label="Trust class"
            description="Tools may require a trust class"
            data={trustChoices}
            value={trustClass}
            onChange={(value) => setTrustClass(parseTrustClass(value) ?? "gateway")}
            allowDeselect={false}
          />
        ) : null}
        <Select
          label="Expires"
          description={submitsCalls ? "The key is refused after this date" : undefined}
          data={expiries}
          value={expiry}
          onChange={(value) => setExpiry(value ?? "90")}
          allowDeselect={false}
        />
      </div>
      {create.isError ? <CreationError error={create.error} /> : null}
      <div className={shared.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={create.isPending} disabled={name.trim() === "" || chosen.length === 0}>
          Create key
        </Button>
      </div>
    </LateForm>
  );
}

type PurposeFieldProps = {
  purpose: string;
  scopes: readonly Permission[];
  onPurpose: (purpose: string) => void;
  onScopes: (scopes: Permission[]) => void;
};

/** The purpose sets the scopes; "Something else" shows them one by one. */
function PurposeField({ purpose, scopes, onPurpose, onScopes }: PurposeFieldProps) {
  return (
    <>
      <Radio.Group label="Purpose" value={purpose} onChange={onPurpose}>
        <div className={classes.purposes}>
          {presets.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={spellHidden(description)} />
          ))}
          <Radio value={picked} label="Something else" description="Choose permissions" />
        </div>
      </Radio.Group>
      {purpose === picked ? (
        <Checkbox.Group
          label="Scopes"
          value={[...scopes]}
          onChange={(values) => onScopes(permissions.filter((scope) => values.includes(scope)))}
        >
          <div className={classes.scopeBoxes}>
            {permissions.map((scope) => (
              <Checkbox key={scope} value={scope} label={permissionWords[scope]} description={<CodeText>{scope}</CodeText>} />
            ))}
          </div>
        </Checkbox.Group>
      ) : null}
    </>
  );
}

function CreationError({ error }: { error: unknown }) {
  return (
    <p role="alert" className={classes.error}>
      {isApiProblem(error) && error.problem.errors?.[0] ? <RevealedText text={error.problem.errors[0].message} /> : toErrorSentence(error)}
    </p>
  );
}

type AgentFieldProps = { agents: readonly Agent[]; agentId: string | null; onChange: (agentId: string | null) => void };

function AgentField({ agents, agentId, onChange }: AgentFieldProps) {
  return (
    <Select
      label="Agent"
      description="The key sees the tools of this agent. None: the conversation's agent, or the default agent"
      placeholder="Any agent"
      data={agents.map(({ id, name: label }) => ({ value: id, label }))}
      value={agentId}
      onChange={onChange}
      clearable
      clearButtonProps={{ "aria-label": "Any agent" }}
    />
  );
}
