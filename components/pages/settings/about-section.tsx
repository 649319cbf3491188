"use client";

import { Anchor } from "@mantine/core";
import { useMe } from "@/components/kit/session/me";
import { Section } from "@/components/kit/settings-frame/section";
import { Facts } from "@/components/kit/ui/page/facts";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { ShortId } from "@/components/kit/ui/text/short-id";

/** Version of Handrail, and the link to the API reference. */
export function AboutSection({ version }: { version: string }) {
  const me = useMe();
  return (
    <Section id="about" title="About" description="This installation of Handrail.">
      <Facts
        facts={[
          ["Version", <CodeText key="version">{version}</CodeText>],
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
          ["You may", <CodeText key="scopes">{me.scopes.join(" ")}</CodeText>],
        ]}
      />
    </Section>
  );
}
