"use client";

import { useQuery } from "@tanstack/react-query";
import { toErrorSentence } from "@/components/api/error-sentence";
import { toolQueries } from "@/components/tools/queries";
import { RevealedText } from "@/components/ui/revealed-text";
import type { ToolFormatReport } from "@/contracts/tools";

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
  if (noteworthy.length === 0) return "All accept the schema as it is";
  return noteworthy.map((report) => (
    <div key={report.format}>
      {names[report.format] ?? report.format}: <RevealedText text={reportWords(report)} />
    </div>
  ));
}

const reportWords = ({ leftOut, changes }: ToolFormatReport): string => leftOut ?? changes.join(" ");
