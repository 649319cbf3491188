"use client";

import { Anchor } from "@mantine/core";
import { useMe } from "@/components/shell/me";
import { Facts } from "@/components/ui/facts";
import { MachineText } from "@/components/ui/machine-text";
import { ShortId } from "@/components/ui/short-id";
import { Section } from "./section";

/** Which Handrail this is, and where its API is described. */
export function AboutSection({ version }: { version: string }) {
  const me = useMe();
  return (
    <Section id="about" title="About" description="This installation of Handrail.">
      <Facts
        facts={[
          ["Version", <MachineText key="version">{version}</MachineText>],
          [
            "API",
            <span key="api">
              <Anchor href="/docs/api" size="sm">
                Reference
              </Anchor>{" "}
              ·{" "}
              <Anchor href="/api/v1/openapi.json" size="sm">
                OpenAPI document
              </Anchor>
            </span>,
          ],
          ["Workspace", me.workspace.name],
          ["Workspace id", <ShortId key="workspace" id={me.workspace.id} what="workspace id" />],
          ["You may", <MachineText key="scopes">{me.scopes.join(" ")}</MachineText>],
        ]}
      />
    </Section>
  );
}
