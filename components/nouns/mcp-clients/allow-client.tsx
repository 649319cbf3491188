"use client";

import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type McpClientRequest, mcpClientSignInEndpoints } from "@/contracts/browser/mcp/mcp-client-sign-ins";
import { placeOf } from "./place-of";

type AllowClientProps = {
  client: string;
  request: McpClientRequest;
  /** The client's address that tells it of a refusal. */
  denied: string;
  person: string;
  agents: { value: string; label: string }[];
};

/** Asks which agent's tools a client may use, and sends the browser back to the client. */
export function AllowClient({ client, request, denied, person, agents }: AllowClientProps) {
  const [agentId, setAgentId] = useState(agents[0]?.value ?? null);
  const allow = useMutation({
    mutationFn: (id: string) => call(mcpClientSignInEndpoints.allow, { body: { ...request, agentId: id } }),
    onSuccess: ({ redirectTo }) => window.location.assign(redirectTo),
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        It gets the tools of one agent, in the name of <RevealedText text={person} />. Rules and approvals hold for its calls. You can end
        this under Settings, API keys.
      </Text>
      <Text size="sm">
        The client chose its name itself. The browser then opens <strong>{placeOf(request.redirectUri)}</strong>. Refuse if you did not
        start this.
      </Text>
      <Select
        label="Agent"
        data={agents}
        value={agentId}
        onChange={setAgentId}
        allowDeselect={false}
        searchable={agents.length > 8}
        comboboxProps={{ withinPortal: true }}
      />
      {allow.error ? (
        <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
          {toErrorSentence(allow.error)}
        </Alert>
      ) : null}
      <Group grow>
        <Button variant="default" component="a" href={denied} disabled={allow.isPending || allow.isSuccess}>
          Refuse
        </Button>
        <Button
          loading={allow.isPending || allow.isSuccess}
          disabled={agentId === null}
          onClick={() => agentId && allow.mutate(agentId)}
          aria-label={`Allow ${client}`}
        >
          Allow
        </Button>
      </Group>
    </Stack>
  );
}
