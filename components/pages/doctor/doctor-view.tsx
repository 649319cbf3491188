"use client";

import { Anchor, Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useShortcuts } from "@/components/kit/keyboard/shortcuts";
import { useRefusal } from "@/components/kit/session/me";
import { AdminsOnly } from "@/components/kit/settings-frame/admins-only";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Tone } from "@/components/kit/ui/tone";
import type { CheckStatus, Diagnosis, DoctorCheck } from "@/contracts/operations/doctor";
import classes from "./doctor.module.css";
import { doctorQueries } from "./queries";

const looks: Record<CheckStatus, { tone: Tone; word: string }> = {
  ok: { tone: "allow", word: "OK" },
  warning: { tone: "ask", word: "Warning" },
  failed: { tone: "deny", word: "Failed" },
  skipped: { tone: "unavailable", word: "Not set up" },
};

/** The checks of this installation: what works, what does not, and the way out. */
export function DoctorView() {
  const refusal = useRefusal("admin");
  const diagnosis = useQuery({ ...doctorQueries.get(), enabled: refusal === null });
  const check = () => void diagnosis.refetch();
  useShortcuts([{ keys: "r", label: "Check again", group: "Doctor", run: check }]);
  return (
    <>
      <PageHeader title="Doctor" description="What Handrail needs, and whether it is there.">
        {refusal === null ? (
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} loading={diagnosis.isFetching} onClick={check}>
            Check again
          </Button>
        ) : null}
      </PageHeader>
      {refusal !== null ? (
        <AdminsOnly what="the checks" reason={refusal} />
      ) : diagnosis.isPending ? (
        <RowSkeletons rows={8} height={3.75} what="the checks" />
      ) : !diagnosis.data ? (
        <ErrorState error={diagnosis.error} what="the checks" retry={check} retrying={diagnosis.isFetching} />
      ) : (
        <>
          <p className={classes.summary} role="status">
            {summarize(diagnosis.data)} Checked <RelativeTime at={diagnosis.data.checkedAt} />.
          </p>
          <ul className={rows.rows} aria-label="Checks">
            {diagnosis.data.items.map((item) => (
              <CheckRow key={item.name} check={item} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function summarize({ items }: Diagnosis): string {
  const failed = items.filter(({ status }) => status === "failed").length;
  const warnings = items.filter(({ status }) => status === "warning").length;
  const notSetUp = items.filter(({ status }) => status === "skipped").length;
  const optional = notSetUp > 0 ? ` ${notSetUp} not set up.` : "";
  if (failed === 0 && warnings === 0) return `Everything is in order.${optional}`;
  const counts = [failed > 0 ? `${failed} failed` : null, warnings > 0 ? count(warnings, "warning") : null];
  return `${counts.filter(Boolean).join(", ")}, ${items.length - failed - warnings - notSetUp} in order.${optional}`;
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;

function CheckRow({ check: { name, status, sentence, wayOut, link } }: { check: DoctorCheck }) {
  const { tone, word } = looks[status];
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <StatusBadge tone={tone} {...(status === "warning" ? { icon: IconAlertTriangle } : {})}>
        {word}
      </StatusBadge>
      <div className={shared.shrinks}>
        <p className={`${shared.flush} ${shared.strong}`}>
          <RevealedText text={name} />
        </p>
        <p className={`${classes.sentence} ${shared.dim}`}>
          <RevealedText text={sentence} />
        </p>
        {wayOut ? <p className={classes.wayOut}>{wayOut}</p> : null}
      </div>
      {link ? (
        <Anchor component={Link} href={link.path} size="sm">
          Open {link.label}
        </Anchor>
      ) : null}
    </li>
  );
}
