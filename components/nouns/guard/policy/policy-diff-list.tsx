import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Json } from "@/contracts/common";
import type { FieldChange, PolicyDiff, RuleChange } from "@/contracts/guard/policy";
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
  context: "Conditions",
  reason: "Reason",
  priority: "Priority",
  enabled: "On",
  expiresAt: "Ends",
  relaxes: "Relaxed detectors",
  approvers: "Approvers",
  requesterMayDecide: "The requester may decide",
  defaultPolicy: "When no rule matches",
  approvalTimeoutSeconds: "Approval timeout (seconds)",
  detectors: "Detectors",
  deniedTools: "Denied tools",
  sensitivePaths: "Sensitive paths",
  escalatePatterns: "Sensitive verbs",
  allowedHosts: "Allowed hosts",
};

/** Differences between two policies by rule and field: the old value struck out, then the new value. */
export function PolicyDiffList({ diff }: { diff: PolicyDiff }) {
  if (diff.total === 0 && diff.settings.length === 0) return <p className={shared.note}>No changes.</p>;
  return (
    <ul className={shared.plainList} aria-label="Changes of the policy">
      {diff.settings.length > 0 ? (
        <li className={classes.change}>
          <span className={`${shared.medium} ${shared.wraps}`}>Settings</span>
          <Fields fields={diff.settings} />
        </li>
      ) : null}
      {diff.rules.map(({ kind, ruleId, name, source, fields }) => (
        <li key={ruleId} className={classes.change}>
          <span className={shared.dim}>
            {kindWords[kind]}
            {source === "file" ? " in the policy file" : ""}
          </span>{" "}
          <span className={`${shared.medium} ${shared.wraps}`}>
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
          <dt className={shared.dim}>{fieldWords[field] ?? field}</dt>
          <dd className={`${classes.values} ${shared.wrapping}`}>
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
    <CodeText>
      <RevealedText text={typeof value === "string" ? value : JSON.stringify(value)} />
    </CodeText>
  );
}
