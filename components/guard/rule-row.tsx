import { useNow } from "@/components/ui/now";
import { OrderedRow, type RowOrder } from "@/components/ui/ordered-row";
import { RelativeTime } from "@/components/ui/relative-time";
import { StatusBadge } from "@/components/ui/status-badge";
import { VerdictBadge } from "@/components/ui/verdict-badge";
import type { GuardRule } from "@/contracts/guard";
import type { Tool } from "@/contracts/tools";
import { RuleSentence } from "./rule-sentence";

type RuleRowProps = {
  rule: GuardRule;
  order: RowOrder;
  tools: readonly Tool[];
  refusal: string | null;
  onOpen: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

/** One rule: its place, verdict, sentence and switch. */
export function RuleRow({ rule, order, tools, refusal, onOpen, onSwitch, onRemove }: RuleRowProps) {
  const isExpired = useNow(10) >= (rule.expiresAt ? Date.parse(rule.expiresAt) : Number.POSITIVE_INFINITY);
  return (
    <OrderedRow
      order={order}
      name={rule.name}
      href={`/guard?rule=${rule.id}`}
      refusal={refusal}
      enabled={rule.enabled}
      isOver={isExpired}
      lead={<VerdictBadge verdict={rule.verdict} />}
      title={<RuleSentence rule={rule} tools={tools} />}
      notes={
        <>
          {rule.source === "file" ? <strong>Policy file · </strong> : null}
          {rule.name}
          {rule.reason ? ` · “${rule.reason}”` : ""}
          {rule.expiresAt && !isExpired ? (
            <>
              {" "}
              · ends <RelativeTime at={rule.expiresAt} />
            </>
          ) : null}
        </>
      }
      badge={
        isExpired ? (
          <StatusBadge tone="unavailable" plain>
            Expired, no longer tried
          </StatusBadge>
        ) : null
      }
      ends={{ first: "Move to top", last: "Move to bottom" }}
      onOpen={onOpen}
      onSwitch={onSwitch}
      onRemove={onRemove}
    />
  );
}
