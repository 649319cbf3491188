"use client";

import { Alert, Button, Menu, Progress } from "@mantine/core";
import { IconAlertTriangle, IconChevronDown, IconDownload, IconShieldCheck } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { AuditState, AuditVerification } from "@/contracts/audit/audit-proof";
import { auditProofEndpoints } from "@/contracts/browser/audit/audit-proof";
import classes from "./audit.module.css";
import { auditProofQueries } from "./proof-queries";
import { readVerification } from "./read-verification";

const count = new Intl.NumberFormat("en");

/** The sealed part of the audit, its verification, and the files that prove it elsewhere. */
export function AuditProofBar() {
  const client = useQueryClient();
  const { data: state, error, refetch, isFetching } = useQuery(auditProofQueries.state());
  const [progress, setProgress] = useState<AuditVerification | null>(null);
  const verify = useMutation({
    mutationFn: () => readVerification(setProgress),
    onSettled: () => {
      setProgress(null);
      return client.invalidateQueries({ queryKey: auditProofQueries.state().queryKey });
    },
  });
  if (error && !state) return <ErrorState error={error} what="the seals of the audit" retry={() => void refetch()} retrying={isFetching} />;
  return (
    <section className={classes.proof} aria-label="Proof of the audit">
      <div className={shared.spread}>
        <span className={shared.dim}>{state ? <StateWords state={state} /> : "Reading the seals"}</span>
        <span className={shared.bar}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconShieldCheck size={16} aria-hidden />}
            loading={verify.isPending}
            onClick={() => verify.mutate()}
          >
            Verify
          </Button>
          <ProofMenu />
        </span>
      </div>
      <div aria-live="polite">
        {verify.isPending ? <VerificationProgress line={progress} /> : null}
        {verify.error ? (
          <ErrorState error={verify.error} what="the verification" retry={() => verify.mutate()} retrying={verify.isPending} />
        ) : null}
        {verify.data && !verify.isPending ? <VerificationResult result={verify.data} /> : null}
      </div>
    </section>
  );
}

function StateWords({ state: { sealedThrough, sealedRows, archivedRows, lastVerification } }: { state: AuditState }) {
  if (sealedThrough === null) return "No event is sealed yet.";
  return (
    <>
      {count.format(sealedRows)} events sealed, the last <RelativeTime at={sealedThrough} />
      {archivedRows > 0 ? `, ${count.format(archivedRows)} of them archived: those take longer to read` : null}
      {lastVerification === null ? (
        ". Never verified."
      ) : (
        <>
          . {lastVerification.ok ? "Verified" : "Found broken"} <RelativeTime at={lastVerification.at} />.
        </>
      )}
    </>
  );
}

function VerificationProgress({ line }: { line: AuditVerification | null }) {
  const percent = line && line.totalSeals > 0 ? (line.seals / line.totalSeals) * 100 : 0;
  return (
    <div className={classes.proofProgress}>
      <Progress value={percent} aria-label="Progress of the verification" />
      <span className={shared.dim}>{count.format(line?.rows ?? 0)} events checked</span>
    </div>
  );
}

function VerificationResult({ result: { ok, rows, removed, erased, unsealed, brokenAt } }: { result: AuditVerification }) {
  if (!ok) {
    return (
      <Alert color="red" title="The audit was tampered with" icon={<IconAlertTriangle size={16} aria-hidden />}>
        <RevealedText text={brokenAt?.sentence ?? "The verification failed."} />
        {brokenAt?.place ? ` Place ${count.format(brokenAt.place)}, seal ${count.format(brokenAt.seal ?? 0)}.` : null} Compare with a backup
        or a checkpoint kept elsewhere.
      </Alert>
    );
  }
  return (
    <Alert color="green" title="The audit is whole">
      {count.format(rows)} events are as they were sealed{erased > 0 ? `, ${count.format(erased)} of them with their content erased` : null}
      .{removed > 0 ? ` ${count.format(removed)} more were removed by the retention, as the audit records.` : null}
      {unsealed ? ` ${count.format(unsealed)} wait for their seal.` : null}
    </Alert>
  );
}

function ProofMenu() {
  const { data, refetch } = useQuery({ ...auditProofQueries.checkpoints(), enabled: false });
  const latest = data?.items[0];
  return (
    <Menu position="bottom-end" onOpen={() => void refetch()}>
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} aria-hidden />}>
          Proof
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={endpointAddress(auditProofEndpoints.exportSealed, {})}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Sealed export
        </Menu.Item>
        <Menu.Item
          component="a"
          href={endpointAddress(auditProofEndpoints.checkpoints, { query: { limit: 20 } })}
          download="audit-checkpoints.json"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Checkpoints
        </Menu.Item>
        <Menu.Label>
          {latest ? (
            <>
              Last checkpoint <RelativeTime at={latest.createdAt} />
            </>
          ) : (
            "A checkpoint is made each day"
          )}
        </Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
