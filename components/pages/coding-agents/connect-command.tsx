"use client";

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { apiKeyQueries } from "@/components/nouns/api-keys/queries";
import { clientWords } from "@/components/nouns/coding-agents/client-words";
import { type Dialect, dialects } from "@/contracts/browser/agents/coding-agents";
import { identityEndpoints } from "@/contracts/browser/identity/identity";
import classes from "./coding-agents.module.css";

const ways = [
  { value: "headless", label: "In the inbox" },
  { value: "desk", label: "In the inbox or at the keyboard" },
];
const placeholderKey = "hr_...";

/** The command that connects a client on a machine, with a key for that machine once a person has made one. */
export function ConnectCommand({ address }: { address: string }) {
  const mayMakeKey = useRefusal("admin") === null;
  const queries = useQueryClient();
  const [client, setClient] = useState<Dialect>("claude-code");
  const [way, setWay] = useState("headless");
  const [machine, setMachine] = useState("");
  const create = useMutation({
    meta: { showsError: true },
    mutationFn: (name: string) => call(identityEndpoints.createApiKey, { body: { name, scopes: ["guard:ask"] } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: apiKeyQueries.list().queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(machine.trim());
  };
  const key = create.data?.key ?? placeholderKey;
  const options = way === "desk" ? " --mode desk" : "";
  return (
    <>
      <form onSubmit={submit} className={classes.fields}>
        <NativeSelect
          label="Client"
          value={client}
          data={dialects.map((value) => ({ value, label: clientWords[value] }))}
          onChange={({ currentTarget }) => setClient(currentTarget.value as Dialect)}
        />
        <NativeSelect
          label="Questions are answered"
          value={way}
          data={ways}
          onChange={({ currentTarget }) => setWay(currentTarget.value)}
        />
        {mayMakeKey ? (
          <>
            <TextInput
              label="Machine"
              placeholder="Ada's laptop"
              maxLength={100}
              required
              value={machine}
              onChange={({ currentTarget }) => setMachine(currentTarget.value)}
            />
            <Button type="submit" loading={create.isPending} disabled={machine.trim() === ""}>
              Make a key
            </Button>
          </>
        ) : null}
      </form>
      <p role="status">
        {create.data
          ? spellHidden(`The key of ${create.data.name} is in the command. It is not shown again.`)
          : mayMakeKey
            ? "Name the machine and make its key. Then run this there:"
            : "Ask an admin for a key with the scope guard:ask. Then run this on the machine:"}
      </p>
      <CodeBlock label="Connect" text={`curl -fsS ${address}/connect | HANDRAIL_KEY=${key} sh -s ${client}${options}`} />
    </>
  );
}
