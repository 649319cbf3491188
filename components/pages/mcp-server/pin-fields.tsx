"use client";

import { Button, Select, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import { hintSentence } from "@/components/nouns/mcp-servers/hint-sentence";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import type { ServerFields } from "@/components/nouns/mcp-servers/server-draft";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import type { HintCounts } from "@/contracts/mcp/server-pins";

type Form = UseFormReturnType<ServerFields>;

/** Asks whether the server's hints count, with what they would let through once a test has listed its tools. */
export function PinTrust({ form, hints }: { form: Form; hints: HintCounts | undefined }) {
  const asked = "Trust read-only hints. Destructive hints always count.";
  return (
    <Switch
      label="Trust its hints"
      description={hints && hints.tools > 0 ? hintSentence(hints) : `${asked} Test the server to see what its hints say.`}
      {...form.getInputProps("trustHints", { type: "checkbox" })}
    />
  );
}

/** Asks what the server may do beyond running tools. */
export function PinGrants({ form }: { form: Form }) {
  return (
    <>
      <Switch
        label="May ask our models"
        description="Off: a tool that asks for a model's answer (sampling) is refused. On: the models of Settings, Models answer while its tools run; you pay for the tokens"
        {...form.getInputProps("allowSampling", { type: "checkbox" })}
      />
      <Select
        label="Its questions"
        description="Forms, pages to open, sampling and roots that its tools ask for while they run. Each answer is in the audit with who gave it"
        allowDeselect={false}
        data={[
          { value: "client_first", label: "The calling client, else people" },
          { value: "console_only", label: "People here only" },
        ]}
        {...form.getInputProps("questions")}
      />
      <Switch
        label="Offer its prompts and resources to MCP clients"
        description="Off: clients at /mcp see its tools only. On: clients of agents with one of its tools can read them, and each reading is in the audit"
        {...form.getInputProps("offerContents", { type: "checkbox" })}
      />
    </>
  );
}

/** Fields for the expected tools, version and program digest of a server. */
export function PinExpectations({ form, isStdio, server }: { form: Form; isStdio: boolean; server: McpServer | null }) {
  return (
    <>
      <AutosizeTextarea
        label="Expected tools"
        description="Names as the server lists them, one per line. A missing or an extra tool rejects the server. Empty: any tools"
        {...codeInputProps}
        rows={[1, 8]}
        {...form.getInputProps("expectedTools")}
      />
      {server ? <TakeListed form={form} server={server} /> : null}
      <TextInput
        label="Expected version"
        description="Version that the server has to report. Empty: any"
        {...codeInputProps}
        {...form.getInputProps("expectedVersion")}
      />
      {isStdio ? (
        <TextInput
          label="Digest of its program"
          description="sha256: and 64 digits, of the script among the arguments or of the command; not with npx, uvx and the like, where the version pins. Empty: any"
          {...codeInputProps}
          {...form.getInputProps("packageDigest")}
        />
      ) : null}
    </>
  );
}

function TakeListed({ form, server }: { form: Form; server: McpServer }) {
  const tools = useQuery(serverQueries.tools(server.id));
  const listed = tools.data?.items.filter(({ pin }) => pin !== "gone").map(({ rawName }) => rawName) ?? [];
  if (listed.length === 0) return null;
  return (
    <div className={shared.bar}>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() =>
          form.setValues({ expectedTools: listed.join("\n"), expectedVersion: server.serverInfo?.version ?? form.values.expectedVersion })
        }
      >
        Expect the tools and the version of now
      </Button>
    </div>
  );
}
