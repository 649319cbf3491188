const questions = "a server's question goes to people in the console, where roles and the audit are; a model's client cannot answer it";
const refusals = "an upstream's protocol error is a result that the model reads";

/** Why scenarios of the server suite fail at `/mcp`. A scenario that is not here has to pass. */
const reasons: readonly [RegExp, string][] = [
  [/^(tools-call-elicitation|elicitation-|tasks-mrtr-)/, questions],
  [
    /^input-required-result-(basic-elicitation|basic-list-roots|multi|missing|non-tool|request-state|result-type|tampered|validate|capability)/,
    `${questions}; approvals use the same answer`,
  ],
  [
    /^(tools-call-sampling|input-required-result-basic-sampling)$/,
    "the workspace's models answer, where an admin has allowed it for the server",
  ],
  [
    /^(logging-set-level|tools-call-with-logging)$/,
    "log messages do not name their call, and a server is shared; they stand in the console",
  ],
  [/^resources-(un)?subscribe$/, "changes of a resource are not followed"],
  [/^server-stateless$/, `${refusals}, and the capabilities of a client are not handed on`],
  [/^tasks-lifecycle$/, refusals],
  [/^tasks-required-task-error$/, "a call that runs long is answered with `get_result` for clients without tasks"],
  [/^http-custom-header-server-validation$/, "only arguments in the body count; headers that repeat them are not read"],
];

/** Returns why a scenario may fail; null for one that has to pass. */
export function reasonFor(scenario: string): string | null {
  return reasons.find(([pattern]) => pattern.test(scenario))?.[1] ?? null;
}
