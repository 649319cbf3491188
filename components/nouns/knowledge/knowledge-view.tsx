"use client";

import { IconBooks } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { RowLine } from "@/components/kit/ui/lists/switch-row";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { KnowledgeBase } from "@/contracts/knowledge/knowledge";
import classes from "./knowledge.module.css";
import { baseResource } from "./queries";
import { count } from "./source-words";

// Loaded after the page, because a drawer opens only on a click.
const BaseDrawer = dynamic(() => import("./base-drawer").then((file) => file.BaseDrawer), { ssr: false });

/** The knowledge bases of the workspace. */
export function KnowledgeView() {
  const page = useResourcePage(baseResource, { title: "Knowledge", address: "settings", permission: "knowledge:write" });
  const addButton = <AddButton noun="knowledge base" page={page} />;
  return (
    <>
      <PageHeader title="Knowledge" description="Documents that agents search, and pages about them that cite where they know it from.">
        {page.rows.length > 0 ? addButton : null}
      </PageHeader>
      <Loaded query={page.list} what="the knowledge bases" rows={3} height={4}>
        {() =>
          page.rows.length === 0 ? (
            <EmptyState icon={IconBooks} title="No knowledge bases yet" action={addButton}>
              Add one, drop documents into it, and name the agents that may use it.
            </EmptyState>
          ) : (
            <ul className={rows.rows}>
              {page.rows.map((base) => (
                <BaseRow key={base.id} base={base} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <BaseDrawer page={page} />
    </>
  );
}

function BaseRow({ base }: { base: KnowledgeBase }) {
  const { id, name, description, sources, pages, unread, failed, stale, embedded, embeddable, embeddingFault } = base;
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={shared.shrinks}>
        <Link className={`${rows.link} ${shared.strong}`} href={`/knowledge/${id}`}>
          <RevealedText text={name} />
        </Link>
        {description === "" ? null : <RowLine text={description} />}
        {embeddingFault === null ? null : <RowLine text={`Search is by words only for some passages: ${embeddingFault}`} />}
      </div>
      <div className={classes.aside}>
        {unread > 0 ? <StatusBadge tone="running">{`${unread} being read`}</StatusBadge> : null}
        {embedded < embeddable && embeddingFault === null ? (
          <StatusBadge tone="running">{`${embedded} of ${embeddable} embedded`}</StatusBadge>
        ) : null}
        {failed > 0 ? <StatusBadge tone="ask">{`${failed} failed or with gaps`}</StatusBadge> : null}
        {stale > 0 ? <StatusBadge tone="ask">{`${stale} stale`}</StatusBadge> : null}
        <span>
          {count(sources, "source")}, {count(pages, "page")}
        </span>
      </div>
    </li>
  );
}
