import { MachineText } from "@/components/ui/machine-text";
import { RevealedText } from "@/components/ui/revealed-text";
import type { Json } from "@/contracts/common";
import type { FieldChange, PolicyDiff, RuleChange } from "@/contracts/policy";
import classes from "./policy-diff-list.module.css";

const kindWords: Record<RuleChange["kind"], string> = { added: "Added", removed: "Removed", changed: "Changed" };

const fieldWords: Record<string, string> = {
  name: "Name",
  verdict: "Verdict",
  tool: "Tool",
  parameter: "Parameter",
  pattern: "Pattern",
  excludePattern: "Exception",
  comparisons: "Comparisons",
  context: "Where and when",
  reason: "Reason",
  priority: "Priority",
  enabled: "On",
  expiresAt: "Ends",
  relaxes: "Relaxed detectors",
  defaultPolicy: "When no rule matches",
  approvalTimeoutSeconds: "Seconds to answer",
  detectors: "Detectors",
  deniedTools: "Denied tools",
  sensitivePaths: "Sensitive paths",
  escalatePatterns: "Escalate words",
};

/** What is different between two policies, rule by rule and field by field: before struck out, then after. */
export function PolicyDiffList({ diff }: { diff: PolicyDiff }) {
  if (diff.total === 0 && diff.settings.length === 0) return <p className={classes.dim}>Nothing is different.</p>;
  return (
    <ul className={classes.list} aria-label="Changes of the policy">
      {diff.settings.length > 0 ? (
        <li className={classes.change}>
          <span className={classes.name}>Settings</span>
          <Fields fields={diff.settings} />
        </li>
      ) : null}
      {diff.rules.map(({ kind, ruleId, name, source, fields }) => (
        <li key={ruleId} className={classes.change}>
          <span className={classes.kind}>
            {kindWords[kind]}
            {source === "file" ? " in the policy file" : ""}
          </span>{" "}
          <span className={classes.name}>
            <RevealedText text={name} />
          </span>
          <Fields fields={fields} />
        </li>
      ))}
      {diff.total > diff.rules.length ? <li className={classes.change}>And {diff.total - diff.rules.length} more rules.</li> : null}
    </ul>
  );
}

function Fields({ fields }: { fields: readonly FieldChange[] }) {
  return (
    <dl className={classes.fields}>
      {fields.map(({ field, before, after }) => (
        <div key={field} style={{ display: "contents" }}>
          <dt className={classes.field}>{fieldWords[field] ?? field}</dt>
          <dd className={classes.values}>
            {before === null ? null : (
              <del>
                <Value value={before} />
              </del>
            )}{" "}
            {after === null ? null : (
              <ins>
                <Value value={after} />
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: Json }) {
  return (
    <MachineText>
      <RevealedText text={typeof value === "string" ? value : JSON.stringify(value)} />
    </MachineText>
  );
}
