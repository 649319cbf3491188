import { Table } from "@mantine/core";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import { costWords, estimateWords } from "@/components/nouns/runs/cost-words";
import type { Run, RunUsage } from "@/contracts/runs/runs";
import classes from "./run-footer.module.css";
import type { Step } from "./to-steps";

/** Tokens and money of each step, by the prices of its model. */
export function RunCost({ run, steps }: { run: Run; steps: readonly Step[] }) {
  return (
    <div className={classes.costs}>
      <Table aria-label="Cost of each step" withRowBorders={false} verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Step</Table.Th>
            <Table.Th>Model</Table.Th>
            <Table.Th className={classes.number}>Input</Table.Th>
            <Table.Th className={classes.number}>Output</Table.Th>
            <Table.Th className={classes.number}>Cost</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steps.map(({ reply: { position, model, usage } }, place) => (
            <Table.Tr key={position}>
              <Table.Td>{place + 1}</Table.Td>
              <Table.Td>{model?.model ?? "Unknown"}</Table.Td>
              <Table.Td className={classes.number}>
                {usage ? <TokenCount tokens={usage.inputTokens} unit={false} isEstimate={usage.isEstimated} /> : "–"}
              </Table.Td>
              <Table.Td className={classes.number}>
                {usage ? <TokenCount tokens={usage.outputTokens} unit={false} isEstimate={usage.isEstimated} /> : "–"}
              </Table.Td>
              <Table.Td className={classes.number}>{costOf(usage)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th colSpan={2}>Run</Table.Th>
            <Table.Th className={classes.number}>
              <TokenCount tokens={run.usage.inputTokens} unit={false} isEstimate={run.usage.isEstimated} />
            </Table.Th>
            <Table.Th className={classes.number}>
              <TokenCount tokens={run.usage.outputTokens} unit={false} isEstimate={run.usage.isEstimated} />
            </Table.Th>
            <Table.Th className={classes.number}>{costOf(run.usage)}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </div>
  );
}

function costOf(usage: RunUsage | null): string {
  const cost = costWords(usage?.costUsd ?? null);
  return cost === null ? "No price" : estimateWords(cost, usage?.isEstimated ?? false);
}
