import { Alert, Button } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { EarlierDecision, GuardRule } from "@/contracts/guard/guard";
import { describeReach } from "../words/describe-reach";
import { maxPriority, type RuleForm } from "./rule-draft";
import classes from "./rule-warnings.module.css";

type ReachNoteProps = {
  form: UseFormReturnType<RuleForm>;
  because: EarlierDecision;
  rules: readonly GuardRule[];
  readOnly: boolean;
};

/** Says before saving that a rule would never be reached, and offers the priority with which it would be. */
export function ReachNote({ form, because, rules, readOnly }: ReachNoteProps) {
  const place = rules.findIndex(({ id }) => id === because.ruleId);
  const earlier = rules[place];
  const canMove = earlier !== undefined && !readOnly && earlier.priority < maxPriority;
  return (
    <Alert className={classes.warning} color="yellow" variant="light" icon={<IconAlertTriangle size={16} aria-hidden />} role="status">
      <RevealedText text={describeReach(form.values.tool.trim(), because, rules)} />.
      {canMove ? (
        <>
          {" "}
          <Button size="compact-xs" variant="default" onClick={() => form.setFieldValue("priority", earlier.priority + 1)}>
            Move above rule {place + 1}
          </Button>
        </>
      ) : null}
    </Alert>
  );
}
