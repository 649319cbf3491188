import shared from "@/components/kit/ui/shared.module.css";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Approval } from "@/contracts/approvals/approvals";
import classes from "./decider-list.module.css";

/** Required number of approvals, eligible approvers, and votes. Empty when anybody may decide and nobody voted. */
export function DeciderList({ approval }: { approval: Approval }) {
  const { quorum, votes, eligible, escalation, status } = approval;
  const who = [...eligible.roles.map((role) => `role ${role}`), ...eligible.users.map(({ name }) => name)];
  const isRestricted = quorum.needed > 1 || who.length > 0 || eligible.requesterExcluded || escalation !== null;
  if (!isRestricted && votes.length === 0) return null;
  return (
    <section aria-label="Approvers" className={shared.stackTight}>
      {quorum.needed > 1 ? (
        <p className={shared.flush}>
          <strong>
            {quorum.got} of {quorum.needed} approvals
          </strong>
        </p>
      ) : null}
      {status === "pending" && who.length > 0 ? (
        <p className={shared.flush}>
          Decided by <RevealedText text={who.join(", ")} />.
        </p>
      ) : null}
      {status === "pending" && eligible.requesterExcluded ? <p className={shared.flush}>The requester may not decide.</p> : null}
      {status === "pending" && escalation ? (
        <p className={shared.flush}>
          {escalation.isDue ? "Escalated to" : "Escalates to"}{" "}
          {[...escalation.to.roles.map((role) => `role ${role}`), ...escalation.to.users.map(({ name }) => name)].join(", ")}{" "}
          <RelativeTime at={escalation.at} />.
        </p>
      ) : null}
      {votes.length > 0 ? (
        <ul className={shared.plainList} aria-label="Votes">
          {votes.map((vote) => (
            <li key={`${vote.actor.id} ${vote.at}`}>
              <RevealedText text={vote.actor.name} /> {vote.decision === "approve" ? "approved" : "rejected"} <RelativeTime at={vote.at} />
              {vote.comment ? (
                <blockquote className={classes.comment}>
                  <RevealedText text={vote.comment} />
                </blockquote>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
