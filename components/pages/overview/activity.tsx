"use client";

import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useGoTo } from "@/components/kit/api/waiting-navigation";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Overview, OverviewRange } from "@/contracts/operations/overview";
import classes from "./activity.module.css";
import { OutcomeLabel } from "./outcome-label";
import { outcomesIn } from "./outcome-series";
import { overviewQueries } from "./queries";
import { turnsAddress } from "./turns-address";

/** Fixed height of the chart, so that the page does not jump when the chart loads. */
const chartHeight = 200;

// Loaded separately, because the chart library is half as large as the rest of the page.
const CallsChart = dynamic(() => import("./calls-chart"), { ssr: false, loading: () => <Skeleton height={chartHeight} /> });

const format = new Intl.NumberFormat("en");
const asNumber = (value: number) => format.format(value);

/** Calls over time, totals, and the most called and most failing tools, each with a link to its list. */
export function Activity({ range }: { range: OverviewRange }) {
  const { data } = useQuery(overviewQueries.get(range));
  const goTo = useGoTo();
  if (!data) return null;
  const { from, calls } = data;
  return (
    <div className={classes.activity}>
      <section className={`${classes.panel} ${shared.surface}`} aria-labelledby="calls-over-time">
        <h2 id="calls-over-time" className={classes.heading}>
          Calls over time
        </h2>
        <CallsChart overview={data} onOpen={(start, end) => goTo(turnsAddress({ from: start, to: end }))} />
        <ul className={classes.legend}>
          {outcomesIn(calls.byStatus).map(({ outcome, count }) => (
            <li key={outcome}>
              <Link href={turnsAddress({ from, outcome })} className={classes.link}>
                <OutcomeLabel outcome={outcome} /> {asNumber(count)}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <Figures overview={data} />
      <div className={classes.pair}>
        <TopTools overview={data} />
        <Troubles overview={data} />
      </div>
    </div>
  );
}

function Figures({ overview: { calls, approvals, disclosure } }: { overview: Overview }) {
  const { latencyMs } = calls;
  const { waitSeconds, decided } = approvals;
  const all = disclosure ? disclosure.shown + disclosure.saved : 0;
  return (
    <dl className={classes.figures}>
      <Figure
        name="Tool latency"
        value={latencyMs ? durationText(latencyMs.p50) : "–"}
        note={latencyMs ? `p95 ${durationText(latencyMs.p95)}` : "No tool ran"}
      />
      <Figure
        name="Time to decide"
        value={waitSeconds ? durationText(waitSeconds.p50 * 1_000) : "–"}
        note={waitSeconds ? `p95 ${durationText(waitSeconds.p95 * 1_000)}, ${asNumber(decided)} decided` : "Nothing decided"}
      />
      <Figure
        name="Tokens saved per request"
        value={disclosure ? asNumber(disclosure.saved) : "–"}
        note={
          disclosure && all > 0
            ? `${asNumber(disclosure.shown)} instead of ${asNumber(all)} for agent ${disclosure.agent}`
            : "No default agent"
        }
      />
    </dl>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className={`${classes.figure} ${shared.surface}`}>
      <dt className={shared.note}>
        <RevealedText text={name} />
      </dt>
      <dd className={classes.value}>{value}</dd>
      <dd className={shared.note}>
        <RevealedText text={note} />
      </dd>
    </div>
  );
}

function TopTools({ overview: { from, topTools } }: { overview: Overview }) {
  const most = topTools[0]?.calls ?? 1;
  return (
    <section className={`${classes.panel} ${shared.surface}`} aria-labelledby="top-tools">
      <h2 id="top-tools" className={classes.heading}>
        Most called tools
      </h2>
      {topTools.length === 0 ? <p className={shared.note}>No calls yet.</p> : null}
      <ol className={shared.plainList}>
        {topTools.map(({ tool, calls }) => (
          <li key={tool} className={classes.row} style={{ backgroundSize: `${(calls / most) * 100}% 100%` }}>
            <Link href={turnsAddress({ from, tool })} className={classes.link}>
              <CodeText>{tool}</CodeText>
            </Link>
            <span data-numeric>{asNumber(calls)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Troubles({ overview: { from, troubles } }: { overview: Overview }) {
  return (
    <section className={`${classes.panel} ${shared.surface}`} aria-labelledby="troubles">
      <h2 id="troubles" className={classes.heading}>
        Failed and denied
      </h2>
      {troubles.length === 0 ? <p className={shared.note}>No failed or denied calls.</p> : null}
      <ol className={shared.plainList}>
        {troubles.map(({ tool, agent, failed, denied }) => (
          <li key={`${agent} ${tool}`} className={classes.trouble}>
            <span className={shared.fluid}>
              <CodeText>{tool}</CodeText>{" "}
              <span className={shared.dim}>
                <RevealedText text={agent} />
              </span>
            </span>
            <span className={classes.counts}>
              {failed > 0 ? (
                <Link href={turnsAddress({ from, tool, agent, outcome: "failed" })} className={classes.link}>
                  {asNumber(failed)} failed
                </Link>
              ) : null}
              {denied > 0 ? (
                <Link href={turnsAddress({ from, tool, agent, outcome: "denied" })} className={classes.link}>
                  {asNumber(denied)} denied
                </Link>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
