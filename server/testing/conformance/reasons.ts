/** Why scenarios of the server suite fail at `/mcp`. A scenario that is not here has to pass; those here are not scored. */
const reasons: readonly [RegExp, string][] = [
  [/^tasks-mrtr-/, "a task that needs its client says so to people in the console"],
  [/^tasks-lifecycle$/, "an upstream's protocol error is a result that the model reads"],
  [/^tasks-required-task-error$/, "a call that runs long is answered with `get_result` for clients without tasks"],
  [/^http-custom-header-server-validation$/, "only arguments in the body count; headers that repeat them are not read"],
  [/^server-sse-polling$/, "a lost answer is fetched with `get_result`, on any replica, and not by resuming its stream"],
];

/** Returns why a scenario may fail; null for one that has to pass. */
export function reasonFor(scenario: string): string | null {
  return reasons.find(([pattern]) => pattern.test(scenario))?.[1] ?? null;
}

/** Why scenarios pass with a warning. */
const warnings: readonly [RegExp, string][] = [
  [/^server-stateless$/, "a changed list of tools is told once it was read again and pinned, later than the suite waits"],
];

/** Returns why a scenario may pass with a warning; null for one that has to pass without. */
export function warningFor(scenario: string): string | null {
  return warnings.find(([pattern]) => pattern.test(scenario))?.[1] ?? null;
}
