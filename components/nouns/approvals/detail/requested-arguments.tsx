"use client";

import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { DiffView } from "@/components/nouns/call-views/lazy-views";
import { CallArguments } from "@/components/nouns/calls/call-arguments";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { Approval } from "@/contracts/approvals/approvals";
import { approvalQueries } from "../queries";

/** Arguments that the file comparison already shows. */
const toldByFile = ["path", "content", "oldText", "newText"];

/** The arguments of a call: a file change as a comparison with the current file, the rest by kind. */
export function RequestedArguments({ approval }: { approval: Approval }) {
  const { tool, arguments: args, decision } = approval;
  const { data: known } = useQuery(toolQueries.one(tool.name));
  const namesFile = typeof args.path === "string" || typeof args.patch === "string";
  const mayChangeFile = approval.status === "pending" && tool.source === "builtin" && namesFile;
  const { data: preview } = useQuery({ ...approvalQueries.preview(approval.id), enabled: mayChangeFile });
  const file = mayChangeFile ? preview?.file : null;
  return (
    <>
      {file ? (
        <DiffView
          label={file.before === null ? `${file.path} · new file` : `${file.path} · compared with the file now`}
          before={file.before ?? ""}
          after={file.after}
        />
      ) : null}
      {mayChangeFile && preview?.reason ? (
        <p className={shared.note}>
          <RevealedText text={preview.reason} />
        </p>
      ) : null}
      <CallArguments
        args={args}
        primaryArgument={tool.primaryArgument}
        schema={known?.inputSchema}
        effects={decision.effects}
        without={file ? toldByFile : []}
      />
    </>
  );
}
