"use client";

import { Group, NavLink } from "@mantine/core";
import { IconPlus, IconTransform } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";
import { TransformationEditor } from "./transformation-editor";
import { TransformationView } from "./transformation-view";

/** Transformations of a base beside the one whose runs are shown. */
export function TransformationsSection({ baseId }: { baseId: string }) {
  const client = useQueryClient();
  const list = useQuery(knowledgeQueries.transformations(baseId));
  const refusal = useRefusal("knowledge:write");
  const [chosen, setChosen] = useState<string | null>(null);
  const [isNew, setNew] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: knowledgeQueries.of(baseId) });
  const saved = async (id: string) => {
    setNew(false);
    await refresh();
    setChosen(id);
  };
  return (
    <div className={classes.columns}>
      <div>
        <Group justify="flex-end" mb="sm">
          <RefusableButton
            refusal={refusal}
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setNew(true)}
          >
            New transformation
          </RefusableButton>
        </Group>
        <Loaded query={list} what="the transformations" rows={3} height={2}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState icon={IconTransform} title="No transformations yet">
                A transformation is a prompt that makes another text of a source or a page, such as a summary.
              </EmptyState>
            ) : (
              <nav aria-label="Transformations of the knowledge base">
                {items.map(({ id, name, format, appliesToNew }) => (
                  <NavLink
                    key={id}
                    component="button"
                    active={id === chosen && !isNew}
                    label={<RevealedText text={name} />}
                    description={`${format === "json" ? "JSON" : "Markdown"}${appliesToNew ? ", on each new source" : ""}`}
                    onClick={() => {
                      setNew(false);
                      setChosen(id);
                    }}
                  />
                ))}
              </nav>
            )
          }
        </Loaded>
      </div>
      <div className={shared.shrinks}>
        <Chosen
          {...{ baseId, isNew, refresh, saved }}
          transformation={list.data?.items.find(({ id }) => id === chosen) ?? null}
          mayChange={refusal === null}
          onClose={() => {
            setNew(false);
            setChosen(null);
          }}
        />
      </div>
    </div>
  );
}

type ChosenProps = {
  baseId: string;
  transformation: Parameters<typeof TransformationView>[0]["transformation"] | null;
  isNew: boolean;
  mayChange: boolean;
  saved: (id: string) => Promise<void>;
  refresh: () => Promise<unknown>;
  onClose: () => void;
};

function Chosen({ baseId, transformation, isNew, mayChange, saved, refresh, onClose }: ChosenProps) {
  if (isNew) return <TransformationEditor baseId={baseId} transformation={null} onSaved={saved} onCancel={onClose} />;
  if (!transformation) {
    return (
      <EmptyState icon={IconTransform} title="No transformation chosen">
        Choose one to run it and to compare its runs.
      </EmptyState>
    );
  }
  return (
    <TransformationView
      key={transformation.id}
      {...{ baseId, transformation, mayChange, refresh }}
      onSaved={saved}
      onRemoved={async () => {
        onClose();
        await refresh();
      }}
    />
  );
}
