import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import type { RowOrder } from "@/components/kit/ui/lists/ordered-row";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { EarlierDecision, ListedRule } from "@/contracts/guard/guard";
import classes from "./never-reached.module.css";
import { describeReach } from "./words/describe-reach";

type NeverReachedProps = {
  rule: ListedRule;
  because: EarlierDecision;
  rules: readonly ListedRule[];
  order: RowOrder;
  isLocked: boolean;
};

/** Why a rule never decides a call, with a button that moves the rule above the one that decides. */
export function NeverReached({ rule, because, rules, order, isLocked }: NeverReachedProps) {
  const place = rules.findIndex(({ id }) => id === because.ruleId);
  return (
    <span className={classes.line}>
      <StatusBadge tone="unavailable" plain>
        <span className={classes.why}>
          <RevealedText text={describeReach(rule.tool, because, rules)} />
        </span>
      </StatusBadge>
      {isLocked || place < 0 ? null : (
        <Button
          className={classes.move}
          size="compact-xs"
          variant="default"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          aria-label={`Move above rule ${place + 1}: ${rule.name}`}
          onClick={() => order.onMove(place)}
        >
          Move above rule {place + 1}
        </Button>
      )}
    </span>
  );
}
