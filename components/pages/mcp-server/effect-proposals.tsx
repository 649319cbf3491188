"use client";

import { Button, Select, Table } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import { effectWords } from "@/components/nouns/tools/effect-words";
import { mcpServerEndpoints } from "@/contracts/browser/mcp/mcp-servers";
import { toolEffects } from "@/contracts/browser/tools/tools";
import type { DefinitionOf, Got } from "@/contracts/endpoint";
import type { mcpServerEndpoints as Endpoints, McpServer } from "@/contracts/mcp/mcp-servers";
import type { ToolEffect } from "@/contracts/tools/tools";
import { countEffects } from "./count-effects";
import classes from "./mcp-servers.module.css";

type ServerTool = Got<DefinitionOf<typeof Endpoints.tools>>["items"][number];

const choices = toolEffects.map((effect) => ({ value: effect, label: effectWords[effect].does }));

/** Proposes what a server's tools do, to be confirmed at once or one by one; until then each of their calls asks a person. */
export function EffectProposals({ server, tools }: { server: McpServer; tools: readonly ServerTool[] }) {
  const client = useQueryClient();
  const refusal = useRefusal("tools:write");
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<Readonly<Record<string, ToolEffect>>>({});
  const proposed = tools.flatMap(({ name, rawName, description, proposal }) =>
    proposal ? [{ name, rawName, description, ...proposal, effect: chosen[name] ?? proposal.effect }] : [],
  );
  const confirm = useMutation({
    meta: { showsError: true },
    mutationFn: () =>
      call(mcpServerEndpoints.confirmEffects, {
        params: { id: server.id },
        body: { effects: Object.fromEntries(proposed.map(({ name, effect }) => [name, effect])) },
      }),
    onSuccess: ({ confirmed }) => notifications.show({ message: `${confirmed} ${confirmed === 1 ? "effect" : "effects"} confirmed` }),
    onSettled: () => readAgain(client),
  });
  if (proposed.length === 0) return null;
  const unknown = proposed.filter(({ isKnown }) => !isKnown).length;
  return (
    <section className={`${shared.stackClose} ${classes.proposals}`} aria-label="Proposed effects">
      <p className={shared.hint}>
        Proposed: {countEffects(proposed.map(({ effect }) => effect))}. Until somebody confirms, calls count as the server's hints say, and
        most ask a person.
        {unknown > 0 ? ` Nothing is known of ${unknown}: proposed as ${unknown === 1 ? "it counts" : "they count"} today.` : null}
      </p>
      <div className={shared.bar}>
        <RefusableButton refusal={refusal} size="compact-sm" loading={confirm.isPending} onClick={() => confirm.mutate()}>
          Confirm {proposed.length === 1 ? "it" : `all ${proposed.length}`}
        </RefusableButton>
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Hide" : "Review"}
        </Button>
      </div>
      {confirm.error ? (
        <p className={classes.rowError} role="alert">
          {toErrorSentence(confirm.error)}
        </p>
      ) : null}
      {isOpen ? (
        <Table.ScrollContainer minWidth={320} maxHeight={420}>
          <Table stickyHeader aria-label="Effect of each tool">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Tool</Table.Th>
                <Table.Th w={160}>Effect</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {proposed.map(({ name, rawName, description, effect, because }) => (
                <Table.Tr key={name}>
                  <Table.Td>
                    <p className={`${classes.toolName} ${shared.mono}`}>
                      <RevealedText text={rawName} />
                    </p>
                    {description ? (
                      <p className={classes.describedEffect}>
                        <RevealedText text={description} />
                      </p>
                    ) : null}
                    <p className={shared.hint}>{chosen[name] ? "your choice" : <RevealedText text={because} />}</p>
                  </Table.Td>
                  <Table.Td>
                    <Select
                      size="xs"
                      aria-label={`Effect of ${rawName}`}
                      data={choices}
                      value={effect}
                      allowDeselect={false}
                      onChange={(value) => value && setChosen({ ...chosen, [name]: value as ToolEffect })}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
    </section>
  );
}
