"use client";

import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import classes from "./memory.module.css";
import { memoryQueries, type Shown } from "./queries";

/** The memory's part of the prompt for a message, and its cost. */
export function PromptSection({ shown }: { shown: Shown }) {
  const [message, setMessage] = useState("");
  const prompt = useQuery(memoryQueries.prompt(shown, useDeferredValue(message)));
  return (
    <>
      <TextInput
        label="Message"
        description="Memories that fit the message of a person stand at the end of the prompt."
        placeholder="Book me a train to Vienna"
        maxLength={2_000}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      {shown.ownerKey ? null : (
        <p className={shared.note}>This is what stands in the prompt for all. Choose a person under Remembered for to see theirs, too.</p>
      )}
      <Loaded query={prompt} what="the prompt" rows={3} height={3}>
        {({ text, tokens, budgetTokens, parts }) => (
          <>
            <p className={shared.paragraph}>
              The memory costs <TokenCount tokens={tokens} /> of at most <TokenCount tokens={budgetTokens} /> in each request.
            </p>
            {parts.length === 0 ? null : (
              <ul className={rows.rows} aria-label="Parts of the prompt">
                {parts.map(({ title, scope, tokens: cost, isCut }) => (
                  <li key={`${scope} ${title}`} className={`${rows.row} ${classes.item}`}>
                    <span>
                      <RevealedText text={title} /> {isCut ? <span className={shared.small}>cut, because not all of it fits</span> : null}
                    </span>
                    <TokenCount tokens={cost} />
                  </li>
                ))}
              </ul>
            )}
            {text === "" ? (
              <p className={shared.note}>Nothing of this memory stands in the prompt. Tick a file, or let the agent remember something.</p>
            ) : (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
              <div role="group" className={`${shared.block} ${classes.prompt}`} tabIndex={0} aria-label="Text in the prompt">
                <RevealedText text={text} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
