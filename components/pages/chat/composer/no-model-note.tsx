"use client";

import { Button } from "@mantine/core";
import { IconBrain } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe, useRefusal } from "@/components/kit/session/me";
import shared from "@/components/kit/ui/shared.module.css";
import { providerResource } from "@/components/nouns/models/queries";
import type { Agent } from "@/contracts/agents/agents";
import classes from "./no-model-note.module.css";

/** Returns whether an agent has no model that could answer, as far as the person may know. */
export function useHasNoModel(agent: Pick<Agent, "models"> | null): boolean {
  const me = useMe();
  const { data } = useQuery({ ...providerResource.list(), enabled: me.scopes.includes("models:read") });
  if (!agent || !data || agent.models.length > 0) return false;
  return !data.items.some(({ enabled, models }) => enabled && models.length > 0);
}

/** Says what to do where no model could answer. */
export function NoModelNote() {
  const refusal = useRefusal("models:write");
  return (
    <div className={`${classes.note} ${shared.askTint}`} role="note">
      <IconBrain size={20} stroke={1.6} aria-hidden />
      <p className={`${shared.field} ${shared.flush}`}>
        {refusal === null
          ? "No model is configured: add a model provider to talk to agents."
          : "No model is configured: ask an admin to add a model provider."}
      </p>
      {refusal === null ? (
        <Button component={Link} href="/settings/models">
          Open Settings → Models
        </Button>
      ) : null}
    </div>
  );
}
