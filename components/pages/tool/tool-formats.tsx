"use client";

import { useQuery } from "@tanstack/react-query";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { ToolFormatReport } from "@/contracts/tools/tools";
import classes from "./tool-details.module.css";

const names: Readonly<Record<string, string>> = {
  openai: "OpenAI chat",
  "openai-responses": "OpenAI Responses",
  anthropic: "Anthropic",
  gemini: "Gemini",
};

/** The model providers that change a tool's schema or leave the tool out. */
export function ToolFormats({ name }: { name: string }) {
  const { data, error } = useQuery(toolQueries.formats(name));
  if (!data) return error ? toErrorSentence(error) : "Checking…";
  const noteworthy = data.items.filter(({ leftOut, changes }) => leftOut !== null || changes.length > 0);
  if (noteworthy.length === 0) return "All get the schema as it is";
  return noteworthy.map((report) => <FormatReport key={report.format} report={report} />);
}

function FormatReport({ report: { format, leftOut, changes } }: { report: ToolFormatReport }) {
  const provider = names[format] ?? format;
  if (leftOut !== null) {
    return (
      <div>
        <RevealedText text={provider} /> does not get the tool: <RevealedText text={leftOut} />
      </div>
    );
  }
  return (
    <div>
      <RevealedText text={provider} /> gets a simpler schema. Handrail still checks calls against the full one.
      <ul className={classes.changes}>
        {changes.map((change) => (
          <li key={change}>
            <RevealedText text={change} />
          </li>
        ))}
      </ul>
    </div>
  );
}
