import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import { OrderedRow, type RowOrder } from "@/components/kit/ui/lists/ordered-row";
import { useNow } from "@/components/kit/ui/text/now";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { ListedRule } from "@/contracts/guard/guard";
import type { Tool } from "@/contracts/tools/tools";
import { NeverReached } from "./never-reached";
import { RuleSentence } from "./rule-sentence";
import { describeHits } from "./words/describe-hits";

type RuleRowProps = {
  rule: ListedRule;
  /** All rules, in their order. */
  rules: readonly ListedRule[];
  order: RowOrder;
  tools: readonly Tool[];
  refusal: string | null;
  onOpen: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

/** One rule: its place, verdict, sentence and switch. */
export function RuleRow({ rule, rules, order, tools, refusal, onOpen, onSwitch, onRemove }: RuleRowProps) {
  const isExpired = useNow(10) >= (rule.expiresAt ? Date.parse(rule.expiresAt) : Number.POSITIVE_INFINITY);
  const because = rule.enabled && !isExpired ? rule.neverReachedBecauseOf : null;
  return (
    <OrderedRow
      order={order}
      name={rule.name}
      href={`/guard?rule=${rule.id}`}
      refusal={refusal}
      enabled={rule.enabled}
      isOver={isExpired || because !== null}
      lead={<VerdictBadge verdict={rule.verdict} isIdle={!rule.enabled || isExpired || because !== null} />}
      title={<RuleSentence rule={rule} tools={tools} />}
      notes={
        <>
          {rule.source === "file" ? <strong>Policy file · </strong> : null}
          <RevealedText text={rule.name} />
          {rule.reason ? <RevealedText text={` · “${plainPreview(rule.reason)}”`} /> : ""}
          <span data-numeric> · {describeHits(rule.hits30Days)}</span>
        </>
      }
      badge={
        isExpired ? (
          <StatusBadge tone="unavailable" plain>
            Expired, no longer tried
          </StatusBadge>
        ) : because ? (
          <NeverReached rule={rule} because={because} rules={rules} order={order} isLocked={refusal !== null} />
        ) : null
      }
      ends={{ first: "Move to top", last: "Move to bottom" }}
      onOpen={onOpen}
      onSwitch={onSwitch}
      onRemove={onRemove}
    />
  );
}
