import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import type { Call } from "@/contracts/turns/turns";
import { CallCard } from "./call-card";
import { CallChart } from "./call-chart";

/** The result of a call as the model reads it, with what people see of it. */
export function CallResults({ call }: { call: Call }) {
  return (
    <>
      {call.content ? (
        <FoldableBlock
          label={call.isError ? "Result sent to the model (error)" : "Result sent to the model"}
          text={call.content}
          startsAtEnd={call.isError}
        />
      ) : null}
      <CallChart call={call} />
      <CallCard call={call} />
    </>
  );
}
