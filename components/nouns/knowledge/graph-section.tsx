"use client";

import { IconAffiliate } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";
import { useEffect, useEffectEvent, useRef } from "react";
import Sigma from "sigma";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { KnowledgeGraph } from "@/contracts/knowledge/knowledge";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";
import { count } from "./source-words";

/** Links above which they are hidden while the graph moves. */
const manyLinks = 2_000;
/** Pages that are all named; in larger graphs the most linked ones are. */
const maxNamed = 60;

type GraphSectionProps = { baseId: string; onOpen: (id: string) => void };

/** Pages and their links. A click opens a page. */
export function GraphSection({ baseId, onOpen }: GraphSectionProps) {
  const graph = useQuery(knowledgeQueries.graph(baseId));
  return (
    <Loaded query={graph} what="the graph" rows={4} height={6}>
      {(data) =>
        data.nodes.length === 0 ? (
          <EmptyState icon={IconAffiliate} title="No pages yet">
            The graph shows pages and their links.
          </EmptyState>
        ) : (
          <>
            <p className={shared.note}>
              {count(data.nodes.length, "page")}, {count(data.edges.length, "link")}
              {data.isCut ? "; the base has more pages, and the most linked ones are shown" : ""}. Stale pages are orange.
            </p>
            <Drawing data={data} onOpen={onOpen} />
          </>
        )
      }
    </Loaded>
  );
}

function Drawing({ data, onOpen }: { data: KnowledgeGraph; onOpen: (id: string) => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    if (!frame.current) return;
    const style = getComputedStyle(frame.current);
    const colours = { page: style.getPropertyValue("--mantine-primary-color-filled").trim(), stale: "#e8870a", label: style.color };
    const sigma = new Sigma(toGraph(data, colours), frame.current, {
      settings: {
        ...{ itemSizesReference: "screen", autoRescaleContent: "positions" },
        ...(data.nodes.length <= maxNamed ? { labelRenderedSizeThreshold: 0, labelDensity: 10 } : {}),
        // A machine without a graphics card needs seconds for one picture of all links.
        ...(data.edges.length > manyLinks ? { hideEdgesOnMove: true, hideLabelsOnMove: true, antialiasEdges: false } : {}),
      },
      styles: {
        nodes: { color: { attribute: "color" }, size: { attribute: "size" }, label: { attribute: "label" }, labelColor: colours.label },
        edges: { color: "#9aa0a655", size: 1 },
      },
    });
    sigma.on("clickNode", ({ node }) => open(node));
    return () => sigma.kill();
  }, [data]);
  return (
    <div
      ref={frame}
      className={`${classes.graph} ${shared.surface}`}
      role="img"
      aria-label={`Graph of ${count(data.nodes.length, "page")}; the list of pages has the same`}
    />
  );
}

/** Places the nodes: first on a spiral, then by their links. */
function toGraph({ nodes, edges }: KnowledgeGraph, colours: { page: string; stale: string }): Graph {
  const graph = new Graph();
  for (const [at, { id, title, links, isStale }] of nodes.entries()) {
    const [angle, distance] = [at * 2.4, Math.sqrt(at + 1)];
    graph.addNode(id, {
      ...{ x: Math.cos(angle) * distance, y: Math.sin(angle) * distance },
      ...{ label: spellHidden(title), size: Math.min(14, 3 + Math.sqrt(links) * 2), color: isStale ? colours.stale : colours.page },
    });
  }
  for (const { from, to } of edges) {
    const [start, end] = [nodes[from]?.id, nodes[to]?.id];
    if (start && end && !graph.hasEdge(start, end)) graph.addEdge(start, end);
  }
  // Fewer steps for many nodes, so that the page answers again after a second.
  const iterations = nodes.length > 2_000 ? 20 : 100;
  forceAtlas2.assign(graph, { iterations, settings: { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: nodes.length > 500 } });
  return graph;
}
