import { Anchor } from "@mantine/core";
import Link from "next/link";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { CallArguments } from "@/components/nouns/calls/call-arguments";
import { CallFiles } from "@/components/nouns/calls/call-files";
import { AskedArguments } from "@/components/nouns/calls/edited-by";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { RunMessage } from "@/contracts/runs/runs";
import type { Tool } from "@/contracts/tools/tools";
import type { Call } from "@/contracts/turns/turns";
import { type AskedCall, parsedArguments } from "./call-summary";
import classes from "./tool-call.module.css";

type ToolCallDetailsProps = {
  asked: AskedCall;
  result: RunMessage | undefined;
  turnId: string | null;
  call: Call | undefined;
  tool: Tool | undefined;
};

/** Arguments and result of a call, with the way to its turn. */
export function ToolCallDetails({ asked, result, turnId, call, tool }: ToolCallDetailsProps) {
  // The turn's arguments are those that ran; the model's own stand in until the turn is known.
  const ran = call && isJsonObject(call.arguments) ? call.arguments : parsedArguments(asked.arguments);
  const text = call?.content || result?.text;
  const isError = call?.isError ?? result?.isError ?? false;
  return (
    <>
      {ran ? (
        <CallArguments
          args={ran}
          primaryArgument={tool?.primaryArgument ?? null}
          schema={tool?.inputSchema}
          effects={call?.decision?.effects}
        />
      ) : (
        <FoldableBlock label="Arguments as the model wrote them" text={asked.arguments} />
      )}
      {call ? <AskedArguments asked={call.askedArguments} runs={call.arguments} by={call.editedBy} /> : null}
      {text ? (
        <FoldableBlock
          label={isError ? "Result sent to the model (error)" : "Result sent to the model"}
          text={text}
          startsAtEnd={isError}
        />
      ) : null}
      {call?.truncated ? <CallFiles call={{ ...call, contentParts: [] }} /> : null}
      <p className={classes.links}>
        {turnId ? (
          <Anchor component={Link} href={`/turns/${turnId}`} size="xs">
            Open turn
          </Anchor>
        ) : null}
        {call?.approvalId ? (
          <Anchor component={Link} href={`/approvals?approval=${call.approvalId}`} size="xs">
            See the approval
          </Anchor>
        ) : null}
      </p>
    </>
  );
}
