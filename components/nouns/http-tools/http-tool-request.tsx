"use client";

import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { confirmRemoval } from "@/components/kit/resources/confirm-removal";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { toolQueries } from "@/components/nouns/tools/queries";
import { httpToolEndpoints } from "@/contracts/browser/tools/http-tools";
import type { Tool } from "@/contracts/tools/tools";
import { HttpToolForm } from "./http-tool-form";
import classes from "./http-tools.module.css";
import { httpToolQueries } from "./queries";

/** The request of an HTTP tool, with the ways to change and remove the tool. */
export function HttpToolRequest({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const client = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  const definition = useQuery({ ...httpToolQueries.one(tool.name), enabled: refusal === null });
  if (refusal !== null) return null;
  if (definition.isPending) return <RowSkeletons rows={1} height={3} what="the request" />;
  if (!definition.data) return <ErrorState error={definition.error} what="the request" retry={() => void definition.refetch()} />;
  const { http, version } = definition.data;
  const remove = () =>
    confirmRemoval({
      ...{ name: tool.name, noun: "tool", loss: "Agents can no longer call it. Recorded calls stay." },
      remove: () => call(httpToolEndpoints.remove, { params: { id: tool.id } }, { version }),
      refresh: () => client.invalidateQueries({ queryKey: toolQueries.all() }),
    });
  return (
    <section aria-label="Request" className={shared.stack}>
      <p className={shared.note}>
        <CodeText>
          {http.method} {http.url}
        </CodeText>
        {http.authProfileId ? " with an auth profile" : ""}
      </p>
      <DisabledReason reason={refusal}>
        <div className={`${classes.filter} ${shared.bar}`}>
          <Button variant="default" size="compact-sm" onClick={() => setIsEditing(true)}>
            Edit request
          </Button>
          <Button variant="default" size="compact-sm" onClick={remove}>
            Remove tool
          </Button>
        </div>
      </DisabledReason>
      <DetailDrawer opened={isEditing} onClose={() => setIsEditing(false)} title={`Edit ${tool.name}`} holds="form">
        {isEditing ? (
          <HttpToolForm
            key={definition.data.version}
            tool={definition.data}
            onSaved={() => setIsEditing(false)}
            onCancel={() => setIsEditing(false)}
          />
        ) : null}
      </DetailDrawer>
    </section>
  );
}
