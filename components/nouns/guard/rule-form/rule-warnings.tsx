import { Alert, Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { RuleWarning } from "@/contracts/guard/rule-subjects";
import classes from "./rule-warnings.module.css";

type Instead = NonNullable<RuleWarning["instead"]>;

type RuleWarningsProps = {
  warnings: readonly RuleWarning[];
  /** Puts the proposed values into their fields; null where nothing can be changed. */
  onTake: ((instead: Instead) => void) | null;
};

/** Warnings about a rule that says more or less than it seems to, with buttons for better values. */
export function RuleWarnings({ warnings, onTake }: RuleWarningsProps) {
  return warnings.map(({ kind, message, instead }) => (
    <Alert
      className={classes.warning}
      key={kind}
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={16} aria-hidden />}
      role="status"
    >
      <RevealedText text={message} />
      {instead && onTake ? <InsteadButton value={instead.pattern ?? instead.tool ?? ""} onClick={() => onTake(instead)} /> : null}
    </Alert>
  ));
}

/** A button that puts a better value into a field: "Use ^git log(?: |$)". */
export function InsteadButton({ value, onClick }: { value: string; onClick: () => void }) {
  return (
    <Button className={classes.instead} classNames={{ label: classes.label }} size="compact-sm" variant="default" onClick={onClick}>
      Use{" "}
      <CodeText>
        <RevealedText text={value} />
      </CodeText>
    </Button>
  );
}
