import type { ReactNode } from "react";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { EffectList } from "@/components/nouns/effects/effect-list";
import { SandboxExitNote } from "@/components/nouns/effects/sandbox-exit-note";
import { SentArguments } from "@/components/nouns/hooks/sent-arguments";
import { QuestionLink } from "@/components/nouns/questions/question-link";
import { UnsandboxedNote } from "@/components/nouns/sandbox/unsandboxed-note";
import type { Approval } from "@/contracts/approvals/approvals";
import { ApprovalReason } from "./approval-reason";
import classes from "./approval-summary.module.css";
import { ApprovedFiles, AskedAgainNote } from "./approved-files";
import { RequestedArguments } from "./requested-arguments";

type AskedCallProps = {
  approval: Approval;
  canApprove: boolean;
  /** Content below the arguments. */
  children?: ReactNode;
};

/** The call that needs an approval: its arguments, its effects and the reason, or the question that a tool asks. */
export function AskedCall({ approval, canApprove, children }: AskedCallProps) {
  const { question, decision } = approval;
  if (question) {
    return (
      <>
        <p className={classes.question}>
          <RevealedText text={question.text} />
        </p>
        {question.url ? <QuestionLink url={question.url} /> : null}
      </>
    );
  }
  return (
    <>
      <AskedAgainNote approval={approval} />
      <SandboxExitNote decision={decision} canApprove={canApprove} />
      <RequestedArguments approval={approval} />
      {children}
      {approval.sentArguments ? (
        <SentArguments sent={approval.sentArguments} runs={approval.arguments} hooks={approval.hooks ?? []} />
      ) : null}
      <EffectList effects={decision.effects} />
      <ApprovedFiles approval={approval} />
      {approval.machine ? null : <UnsandboxedNote sandboxed={decision.sandboxed} toolName={approval.tool.name} />}
      <ApprovalReason decision={decision} />
    </>
  );
}
