"use client";

import { Button, Group } from "@mantine/core";
import { IconBooksOff } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { ResourceDrawer } from "@/components/kit/resources/resource-drawer";
import type { ResourcePage } from "@/components/kit/resources/use-resource-page";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { Facts } from "@/components/kit/ui/page/facts";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { ShortId } from "@/components/kit/ui/text/short-id";
import type { KnowledgeBase } from "@/contracts/knowledge/knowledge";

const loadForm = () => import("./base-form");
const BaseForm = dynamic(() => loadForm().then((file) => file.BaseForm), { ssr: false, loading: FormSkeleton });
const removalLoss = "All sources, their text and all pages are deleted. Agents can no longer read them.";

/** Settings of a knowledge base, or the form for a new one. */
export function BaseDrawer({ page }: { page: ResourcePage<KnowledgeBase> }) {
  return (
    <ResourceDrawer
      noun="knowledge base"
      page={page}
      missingIcon={IconBooksOff}
      loadForm={loadForm}
      form={(base, leave) => <BaseForm base={base} onSaved={({ id }) => page.open(id)} onCancel={leave} />}
      details={(base) => (
        <>
          <Group gap="xs" mb="md">
            <Button component="a" href={`/knowledge/${base.id}`}>
              Open
            </Button>
            <RefusableButton refusal={page.refusal} variant="default" onClick={() => page.edit(true)}>
              Edit
            </RefusableButton>
            <RefusableButton
              refusal={page.refusal}
              variant="default"
              color="red"
              onClick={() => page.confirmRemoval(base, removalLoss, page.close)}
            >
              Remove
            </RefusableButton>
          </Group>
          <Facts
            facts={[
              ["Name", base.name],
              ["Description", base.description || "None"],
              ["Mode", base.mode === "eager" ? "Reads sources and writes pages" : "Reads sources"],
              ["Agents", base.agents.length === 0 ? "None; no agent uses the base" : String(base.agents.length)],
              ["Embedding model", base.embeddingModel?.model ?? "None; search is by words"],
              ["Embedded", base.embeddingModel ? `${base.embedded} of ${base.embeddable} passages and pages` : null],
              ["Missing embeddings", base.embeddingFault],
              ["Watched folder", base.watchedFolder],
              ["Folder", base.folderFault],
              ["Added", <RelativeTime key="added" at={base.createdAt} />],
              ["Id", <ShortId key="id" id={base.id} what="id of the knowledge base" />],
            ]}
          />
        </>
      )}
    />
  );
}
