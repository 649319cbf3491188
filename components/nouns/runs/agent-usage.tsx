"use client";

import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import type { AgentUsage as Usage } from "@/contracts/runs/runs";
import classes from "./agent-runs.module.css";
import { costWords, estimateWords } from "./cost-words";
import { runQueries } from "./queries";

const shownDays = 30;

/** Tokens and cost of an agent's runs, a row for each day with runs. */
export function AgentUsage({ agentId }: { agentId: string }) {
  const { data, error, refetch, isFetching } = useQuery(runQueries.usage(agentId, shownDays));
  if (!data && error) return <ErrorState error={error} what="the usage" retry={() => void refetch()} retrying={isFetching} />;
  if (!data) return <RowSkeletons rows={3} height={2} what="the usage" />;
  if (data.days.length === 0) return null;
  return (
    <section className={classes.usage} aria-labelledby="usage-heading">
      <h2 id="usage-heading" className={`${shared.title} ${shared.above}`}>
        Usage of the last {shownDays} days
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={`${classes.scroll} ${shared.framed}`} tabIndex={0} aria-label="Usage by day">
        <Table verticalSpacing={4} aria-label="Usage by day">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Day (UTC)</Table.Th>
              <Table.Th className={classes.number}>Runs</Table.Th>
              <Table.Th className={classes.number}>Steps</Table.Th>
              <Table.Th className={classes.number}>Input</Table.Th>
              <Table.Th className={classes.number}>Output</Table.Th>
              <Table.Th className={classes.number}>Cost</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.days.map(({ day, ...counts }) => (
              <Table.Tr key={day}>
                <Table.Td className={classes.number}>{day}</Table.Td>
                <Counts counts={counts} />
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row">Total</Table.Th>
              <Counts counts={data.total} />
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </section>
      {data.total.unpricedRuns > 0 ? (
        <p className={classes.note}>
          {data.total.unpricedRuns === 1 ? "One run" : `${data.total.unpricedRuns} runs`} used a model without a price, so the real cost is
          higher. Set prices in Settings → Models.
        </p>
      ) : null}
      {data.total.estimatedRuns > 0 ? (
        <p className={classes.note}>
          ≈ marks figures with tokens that Handrail counted itself, because a provider sent no usage or a reply broke off.
        </p>
      ) : null}
    </section>
  );
}

function Counts({ counts }: { counts: Usage["total"] }) {
  const { runs, steps, inputTokens, outputTokens, costUsd, unpricedRuns, estimatedRuns } = counts;
  const isEstimate = estimatedRuns > 0;
  const cost = runs === unpricedRuns && costUsd === 0 ? "No price" : (costWords(costUsd) ?? "No price");
  return (
    <>
      <Table.Td className={classes.number}>{runs}</Table.Td>
      <Table.Td className={classes.number}>{steps}</Table.Td>
      <Table.Td className={classes.number}>
        <TokenCount tokens={inputTokens} unit={false} isEstimate={isEstimate} />
      </Table.Td>
      <Table.Td className={classes.number}>
        <TokenCount tokens={outputTokens} unit={false} isEstimate={isEstimate} />
      </Table.Td>
      <Table.Td className={classes.number}>
        {cost === "No price" ? cost : unpricedRuns > 0 ? `≥ ${cost}` : estimateWords(cost, isEstimate)}
      </Table.Td>
    </>
  );
}
