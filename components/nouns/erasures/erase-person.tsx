"use client";

import { Alert, Button, Loader, Modal, TextInput } from "@mantine/core";
import { IconCheck, IconDownload } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { useReturnFocus } from "@/components/kit/ui/overlays/use-return-focus";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { ErasurePlan } from "@/contracts/audit/erasures";
import { erasureEndpoints } from "@/contracts/browser/audit/erasures";
import { type ErasurePerson, erasureQueries } from "./queries";

type Props = { person: ErasurePerson; name: string; opened: boolean; onClose: () => void; onErased: () => void };

/** Exports or erases what the workspace holds of a person: counts first, then the name as a confirmation, then the progress. */
export function ErasePerson({ person, name, opened, onClose, onErased }: Props) {
  useReturnFocus(opened);
  const [erasureId, setErasureId] = useState<string | null>(null);
  const close = () => {
    onClose();
    if (erasureId !== null) onErased();
    setErasureId(null);
  };
  return (
    <Modal opened={opened} onClose={close} title={spellHidden(`Data of ${name}`)} size="lg">
      {erasureId === null ? <Planned person={person} onStarted={setErasureId} /> : <Running id={erasureId} onClose={close} />}
    </Modal>
  );
}

function Planned({ person, onStarted }: { person: ErasurePerson; onStarted: (id: string) => void }) {
  const { data: plan, error, isFetching, refetch } = useQuery(erasureQueries.plan(person));
  if (error) return <ErrorState error={error} what="the data of this person" retry={() => void refetch()} retrying={isFetching} />;
  if (!plan) return <RowSkeletons rows={5} height={1.75} what="the data of this person" />;
  return (
    <div className={shared.story}>
      <Counts counts={plan.counts} auditEvents={plan.auditEvents} />
      <div className={shared.bar}>
        <Button
          component="a"
          variant="default"
          href={endpointAddress(erasureEndpoints.exportPerson, { query: person })}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export
        </Button>
        <span className={shared.dim}>A line of JSON for each row. The audit records the export.</span>
      </div>
      {plan.refusal === null ? (
        <Confirmation plan={plan} onStarted={onStarted} />
      ) : (
        <Alert color="yellow" title="Nothing can be erased now">
          {plan.refusal}
        </Alert>
      )}
    </div>
  );
}

const count = new Intl.NumberFormat("en");
const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function Counts({ counts, auditEvents }: Pick<ErasurePlan, "counts" | "auditEvents">) {
  const places = Object.entries(counts);
  if (places.length === 0 && auditEvents === 0)
    return <p className={shared.note}>The workspace holds nothing of this person but the name.</p>;
  return (
    <Facts
      facts={[
        ...places.map(([place, rows]) => [sentence(place), count.format(rows)] as const),
        ["Audit events", `${count.format(auditEvents)} keep place and proof, and lose their content`],
      ]}
    />
  );
}

function Confirmation({ plan: { kind, personId, name }, onStarted }: { plan: ErasurePlan; onStarted: (id: string) => void }) {
  const [typed, setTyped] = useState("");
  const start = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(erasureEndpoints.start, { body: { kind, personId, confirm: typed.trim() } }),
    onSuccess: ({ id }) => onStarted(id),
  });
  return (
    <form
      className={shared.story}
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <Alert color="red" title="An erasure cannot be undone">
        {kind === "member"
          ? "The account and the member's conversations, messages, files and personal memory go. Settings and to-dos that the member made stay without the name. The audit keeps who changed what."
          : "The contact, the conversations that the person wrote in, messages, files and memory go. A group's conversation goes as a whole."}{" "}
        Backups made before still hold the data: remove them in time.
      </Alert>
      <TextInput
        label={spellHidden(`Type ${name} to confirm`)}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" color="red" disabled={typed.trim() !== name} loading={start.isPending}>
          Erase {kind}
        </Button>
      </div>
      {start.error ? <ErrorState error={start.error} what="the erasure" retry={() => start.mutate()} retrying={start.isPending} /> : null}
    </form>
  );
}

function Running({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const { data: erasure, error, isFetching, refetch } = useQuery(erasureQueries.one(id));
  if (error) return <ErrorState error={error} what="the erasure" retry={() => void refetch()} retrying={isFetching} />;
  const isDone = erasure?.status === "done";
  return (
    <div className={shared.story}>
      <div className={shared.bar} aria-live="polite">
        {isDone ? <IconCheck size={18} aria-hidden /> : <Loader size="xs" aria-hidden />}
        <span>{isDone ? "Erased" : (erasure?.step ?? "Waiting to begin")}</span>
      </div>
      {erasure ? <Counts counts={erasure.counts} auditEvents={erasure.auditEvents} /> : null}
      <p className={shared.note}>{isDone ? "An event of the audit records it." : "The erasure goes on when you close this."}</p>
      <div>
        <Button
          variant="default"
          onClick={() => {
            client.removeQueries({ queryKey: erasureQueries.all() });
            onClose();
          }}
        >
          Close
        </Button>
      </div>
    </div>
  );
}
