"use client";

import { Button, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsInteger, useQueryState } from "nuqs";
import { useState } from "react";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";
import { stateWords } from "./source-words";

/** A source at one page: its text, and for a PDF the page as a picture beside it. */
export function SourceView({ id, first }: { id: string; first: number }) {
  const [number, setNumber] = useQueryState("page", parseAsInteger.withDefault(first).withOptions({ history: "push" }));
  const part = useQuery(knowledgeQueries.part(id, number));
  return (
    <Loaded query={part} what="the source" rows={3} height={8}>
      {({ page, text, source }) => (
        <>
          <PageHeader
            title={source.name}
            description={`${page === null ? `Part ${number} of ${source.partCount}` : `Page ${page} of ${source.pageCount}`} · ${stateWords[source.state]}`}
          >
            <Button component={Link} href={`/knowledge/${source.baseId}`} variant="default">
              Knowledge base
            </Button>
            <Button
              component="a"
              href={`/api/v1/knowledge-sources/${id}/file`}
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              Original
            </Button>
          </PageHeader>
          <Group gap="xs" mb="md">
            <Button
              variant="default"
              disabled={number <= 1}
              leftSection={<IconChevronLeft size={16} aria-hidden />}
              onClick={() => void setNumber(number - 1)}
            >
              Previous
            </Button>
            <IntegerInput
              aria-label={page === null ? "Part" : "Page"}
              value={number}
              range={[1, source.partCount]}
              w="6rem"
              onChange={(value) => typeof value === "number" && value >= 1 && value <= source.partCount && void setNumber(value)}
            />
            <Button
              variant="default"
              disabled={number >= source.partCount}
              rightSection={<IconChevronRight size={16} aria-hidden />}
              onClick={() => void setNumber(number + 1)}
            >
              Next
            </Button>
          </Group>
          <div className={classes.viewer}>
            <pre className={`${classes.text} ${shared.surface}`}>
              {text === "" ? <span className={shared.dim}>This page has no text.</span> : <RevealedText text={text} />}
            </pre>
            {page === null ? null : <Picture key={number} id={id} number={number} />}
          </div>
        </>
      )}
    </Loaded>
  );
}

function Picture({ id, number }: { id: string; number: number }) {
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return <p className={shared.note}>This machine cannot draw the page. Download the original to see it.</p>;
  return (
    // biome-ignore lint/performance/noImgElement: the picture is drawn by Handrail for this reader and not optimised again
    <img
      className={`${classes.picture} ${shared.framed}`}
      src={`/api/v1/knowledge-sources/${id}/parts/${number}/picture`}
      alt={`Page ${number} as it looks`}
      loading="lazy"
      onError={() => setMissing(true)}
    />
  );
}
